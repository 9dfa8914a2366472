import type { AnyJson } from '../../support/probes/any-json.js';
import { eventually } from '../../support/probes/eventually.js';
import type { ToldWord } from './told-words.js';

const PIECE_BYTES = 8 * 1024 * 1024;
const LONGEST_SECONDS = 900;

/** A server, and who asks it. */
export interface Asked {
  readonly origin: string;
  readonly token: string;
}

/** What became of a recording. */
export interface Told {
  readonly words: readonly ToldWord[];
  readonly durationSeconds: number;
  readonly warnings: readonly unknown[];
  /** From when all audio was there until the transcript was. */
  readonly seconds: number;
}

/** Sends a recording in pieces, and waits for its transcript. @param body of the recording @throws Error where it fails */
export async function transcribeTalk({ origin, token }: Asked, wav: Buffer, body: object): Promise<Told> {
  const url = `${origin}/v1/echo/recordings`;
  const headers = { authorization: `Bearer ${token}` };
  const ask = async (path: string, init: RequestInit = {}): Promise<AnyJson> => {
    const answer = await fetch(url + path, { ...init, headers: { ...headers, ...init.headers } });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const json = { 'content-type': 'application/json' };
  const made = { method: 'POST', headers: json, body: JSON.stringify({ title: 'Long', ...body }) };
  const { id } = await ask('', made);
  for (let start = 0; start < wav.length; start += PIECE_BYTES) {
    const piece = wav.subarray(start, start + PIECE_BYTES);
    const range = `bytes ${start}-${start + piece.length - 1}/${wav.length}`;
    const sent = { 'content-type': 'audio/wav', 'content-range': range };
    await ask(`/${id}/audio`, { method: 'PUT', headers: sent, body: new Uint8Array(piece) });
  }
  const startedAt = performance.now();
  const done = await eventually('the recording is transcribed', LONGEST_SECONDS, async () => {
    const recording = await ask(`/${id}`);
    return ['completed', 'failed'].includes(recording.status) && recording;
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  if (done.status === 'failed') throw new Error(`The recording has failed: ${done.error}`);
  const { segments, warnings } = await ask(`/${id}/transcript`);
  const words = segments.flatMap((segment: AnyJson) => segment.words ?? []);
  return { words, durationSeconds: done.duration_seconds, warnings, seconds };
}
