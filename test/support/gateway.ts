import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from './platform.js';
import type { Platform, RestAnswer } from './platform.js';
import { startScriptedBackend } from './scripted-backend.js';
import type { ScriptedBackend } from './scripted-backend.js';

/** A platform before one scripted model server, whose model is `scripted`, and a token of its administrator. */
export interface Gateway {
  readonly backend: ScriptedBackend;
  readonly platform: Platform;
  readonly token: string;
  post(path: string, body: unknown): Promise<RestAnswer>;
  close(): Promise<void>;
}

/** @param settings of the backend, such as what it supports */
export async function startGateway(settings: object = {}): Promise<Gateway> {
  const backend = await startScriptedBackend();
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  const file = join(folder, 'backends.json');
  const entry = { id: 'scripted', kind: 'openai', base_url: backend.url, models: ['scripted'], ...settings };
  writeFileSync(file, JSON.stringify({ backends: [entry] }));
  const platform = await startPlatform({ BACKENDS_FILE: file });
  const token = (await platform.login()).access_token;
  return {
    backend,
    platform,
    token,
    post: (path, body) => platform.request('POST', path, { token, body }),
    close: async () => {
      await platform.close();
      await backend.close();
      rmSync(folder, { recursive: true });
    },
  };
}
