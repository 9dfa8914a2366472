import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSpeechServer } from './speech-server.js';
import type { SpeechServer } from './speech-server.js';

/** A server that transcribes with the model `heard`, and the BACKENDS_FILE that names it. */
export interface SpeechBackend {
  readonly path: string;
  readonly server: SpeechServer;
  close(): Promise<void>;
}

/**
 * @param settings what is put over the usual entry of the backend
 * @param others entries of other backends
 */
export async function startSpeechBackend(settings: object = {}, others: object[] = []): Promise<SpeechBackend> {
  const server = await startSpeechServer();
  const folder = mkdtempSync(join(tmpdir(), 'speech-'));
  const path = join(folder, 'backends.json');
  const entry = { id: 'speech', kind: 'openai', base_url: server.url, models: ['heard'], supports: ['transcribe'] };
  writeFileSync(path, JSON.stringify({ backends: [{ ...entry, ...settings }, ...others] }));
  return {
    path,
    server,
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
