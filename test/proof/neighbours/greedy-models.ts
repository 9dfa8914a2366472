import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { toneWav } from '../../support/servers/speech-server.js';

/** What the chats of the others are answered by. */
export const CHAT_MODEL = 'scripted';
/** Speak without an end, as fast as they are read: at a rate that no format has to change, and at one that PCM has. */
export const [EVEN_VOICE, ODD_VOICE] = ['even-voice', 'odd-voice'] as const;
/** Is asked, and says nothing. */
export const SILENT_MODEL = 'silent';
/** Answers after a while. */
export const SLOW_MODEL = 'slow';
/** Hears the same in everything. */
export const EARS = 'ears';

const SLOW_MS = 3_000;
/** Before each second of sound: some 200 times as fast as it is heard. */
const SECOND_MS = 5;
const RATES: Readonly<Record<string, number>> = { [EVEN_VOICE]: 24_000, [ODD_VOICE]: 44_100 };
const USAGE = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 };
const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }],
  usage: USAGE,
};

/** A model server with all models of this proof. */
export class GreedyModels {
  private readonly server = createServer((request, response) => void this.handle(request, response));

  static async start(): Promise<GreedyModels> {
    const models = new GreedyModels();
    models.server.listen(0, '127.0.0.1');
    await once(models.server, 'listening');
    return models;
  }

  /** The base URL. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    request.on('error', () => undefined);
    if (request.method === 'GET') return sendJson(response, { object: 'list', data: [] });
    if (request.url?.endsWith('/transcriptions')) {
      await text(request).catch(() => undefined);
      return sendJson(response, { text: 'Good day.', language: 'english', duration: 1, segments: [] });
    }
    const { model } = (await json(request).catch(() => ({}))) as { model?: string };
    if (model === SILENT_MODEL) return;
    if (model === SLOW_MODEL) await sleep(SLOW_MS);
    const rate = RATES[model ?? ''];
    if (rate === undefined) return sendJson(response, { ...ANSWER, model });
    await speak(response, rate);
  }
}

/** What `BACKENDS_FILE` has. @param others the base URL for the chats of the others, so that nothing else keeps it busy */
export function backendsOf(others: string, greedy: string): object {
  const audio = { base_url: greedy, kind: 'openai' };
  return {
    backends: [
      { id: 'others', kind: 'openai', base_url: others, models: [CHAT_MODEL], supports: ['chat'] },
      { id: 'voices', ...audio, models: [EVEN_VOICE, ODD_VOICE], supports: ['speech'] },
      { id: 'ears', ...audio, models: [EARS], supports: ['transcribe'] },
      { id: 'silent', ...audio, models: [SILENT_MODEL, SLOW_MODEL], supports: ['chat'] },
    ],
  };
}

async function speak(response: ServerResponse, rate: number): Promise<void> {
  const wav = toneWav(1, rate);
  const [head, samples] = [wav.subarray(0, 44), wav.subarray(44)];
  response.writeHead(200, { 'content-type': 'audio/wav' });
  const sound = async function* () {
    for (yield head; ; yield samples) await sleep(SECOND_MS);
  };
  // Whoever listened has left.
  await pipeline(sound, response).catch(() => undefined);
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
