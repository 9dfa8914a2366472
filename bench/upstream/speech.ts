import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { wavHead } from '../../test/support/servers/speech-server.js';

/** What every recording says. */
const WORDS = ['the', 'weather', 'is', 'very', 'nice', 'today'];
const BYTES_A_SECOND = 32_000;
/** A second of a tone of 16 kHz: what every text sounds like. */
const tone = Buffer.alloc(BYTES_A_SECOND);
for (let at = 0; at < tone.length; at += 2) tone.writeInt16LE(Math.round(8_000 * Math.sin(at / 9)), at);
const wav = Buffer.concat([wavHead(tone.length), tone]);

/** Whether a path is one of the audio interface. */
export function isOfSpeech(path: string): boolean {
  return /\/audio\/(transcriptions|speech)$/.test(path);
}

/**
 * Answers a request for a transcript or for speech. What was sent is counted, and not kept. A base URL with `/after-300`
 * in it answers transcripts 300 ms after all was sent.
 */
export async function answerSpeech(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  let bytes = 0;
  for await (const piece of request) bytes += (piece as Buffer).length;
  if (path.endsWith('/speech')) {
    response.writeHead(200, { 'content-type': 'audio/wav' }).end(wav);
    return;
  }
  await sleep(Number(/\/after-(\d+)\//.exec(path)?.[1] ?? 0));
  response.writeHead(200, { 'content-type': 'application/json' }).end(transcript(bytes / BYTES_A_SECOND));
}

function transcript(seconds: number): string {
  const step = seconds / WORDS.length;
  const words = WORDS.map((word, index) => ({ word, start: index * step, end: (index + 1) * step }));
  const text = WORDS.join(' ');
  const segments = [{ id: 0, start: 0, end: seconds, text }];
  return JSON.stringify({ text, language: 'english', duration: seconds, words, segments });
}
