import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallOwner } from '../../../src/access/caller.js';
import type { Models } from '../../../src/inference/domain.js';
import type { CallContext } from '../../../src/inference/calls/model-call.js';
import type { SpeakCall, TranscribeCall } from '../../../src/inference/speech/speech.types.js';
import { startPlatform } from './platform.js';
import type { Platform } from './platform.js';
import { startSpeechServer, toneWav } from './speech-server.js';
import type { SpeechServer } from './speech-server.js';

/** A platform before servers that transcribe and speak, and its administrator as whoever calls them. */
export class SpeechBed {
  constructor(
    readonly servers: readonly SpeechServer[],
    readonly platform: Platform,
    readonly caller: CallOwner,
    readonly token: string,
    readonly folder: string,
  ) {}

  get server(): SpeechServer {
    return this.servers[0] as SpeechServer;
  }

  get models(): Models {
    return this.platform.app.ports.models;
  }

  /** A call that transcribes a file of 2 s of a tone. */
  transcribeCall(members: Partial<TranscribeCall> = {}): TranscribeCall {
    const wav = toneWav(2);
    const path = join(this.folder, 'audio.wav');
    writeFileSync(path, wav);
    const audio = { path, mediaType: 'audio/wav', filename: 'audio.wav', sizeBytes: wav.length };
    return {
      area: 'echo',
      audio,
      audioSeconds: 2,
      wantsWords: true,
      wantsSegments: true,
      context: contextOf(),
      ...members,
    };
  }

  speakCall(members: Partial<SpeakCall> = {}): SpeakCall {
    return { area: 'echo', input: 'Hello there.', context: contextOf(), ...members };
  }

  /** What the ledger says of all calls, the first first. */
  calls(): Promise<SpokenCallRow[]> {
    const columns = 'model, backend, state, outcome, prompt_tokens, completion_tokens, audio_ms, reserved_audio_ms';
    return this.platform.query(`SELECT ${columns} FROM calls WHERE area = 'echo' ORDER BY id`);
  }

  async forget(): Promise<void> {
    for (const server of this.servers) server.reset();
    await this.platform.query("DELETE FROM calls WHERE area = 'echo'");
  }

  async close(): Promise<void> {
    await this.platform.close();
    await Promise.all(this.servers.map((server) => server.close()));
    rmSync(this.folder, { recursive: true });
  }
}

/** A row of the ledger. */
export interface SpokenCallRow {
  readonly model: string;
  readonly backend: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly audio_ms: number;
  readonly reserved_audio_ms: string;
}

/** What a call needs to know of a request. */
export function contextOf(signal: AbortSignal = new AbortController().signal): CallContext {
  return { serverRequestId: crypto.randomUUID(), signal };
}

/**
 * Starts a platform before speech servers.
 * @param backends what is put over the usual entry of each backend; they go to the servers in turn
 * @param env start-up variables beside those of backends
 */
export async function startSpeechBed(
  backends: readonly object[] = [{}],
  env: Readonly<Record<string, string>> = {},
  serverCount = 1,
): Promise<SpeechBed> {
  const servers = await Promise.all(Array.from({ length: serverCount }, startSpeechServer));
  const folder = mkdtempSync(join(tmpdir(), 'speech-'));
  const entries = backends.map((settings, index) => ({
    id: `speech-${index}`,
    kind: 'openai',
    base_url: servers[index % serverCount]?.url,
    models: ['heard'],
    supports: ['transcribe', 'speech'],
    ...settings,
  }));
  const file = join(folder, 'backends.json');
  writeFileSync(file, JSON.stringify({ backends: entries }));
  const platform = await startPlatform({ BACKENDS_FILE: file, ...env });
  const { access_token: token, user } = await platform.login();
  const [row] = await platform.query<{ tenant_id: string }>('SELECT tenant_id FROM users WHERE id = $1', [user.id]);
  const caller = { userId: user.id, tenantId: row?.tenant_id ?? '', tokenId: 'tok_test' };
  return new SpeechBed(servers, platform, caller, token, folder);
}
