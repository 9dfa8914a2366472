import { json } from '../servers/scripted-backend.js';
import type { Script } from '../servers/scripted-backend.js';
import type { SpeechRequestSeen } from '../servers/speech-server.js';

const HEAD_BYTES = 44;
const BYTES_A_SECOND = 32_000;

/** The length of the WAV file that a model server was sent, in seconds. */
export function secondsOf({ file }: SpeechRequestSeen): number {
  return ((file?.bytes.length ?? HEAD_BYTES) - HEAD_BYTES) / BYTES_A_SECOND;
}

/**
 * An answer of a model server that hears these words, one after another, over all of what it is sent.
 * @param held it is given when this has resolved
 */
export function heard(request: SpeechRequestSeen, text: string, held?: Promise<void>): Script {
  const seconds = secondsOf(request);
  const words = text.split(' ');
  const step = seconds / words.length;
  const answer = json(200, {
    text,
    language: 'english',
    duration: seconds,
    words: words.map((word, index) => ({ word, start: index * step, end: (index + 0.9) * step })),
    segments: [{ id: 0, start: 0, end: seconds, text }],
  });
  return held ? { ...answer, pieces: after(held, answer.pieces) } : answer;
}

async function* after(held: Promise<void>, pieces: Script['pieces'] = []): AsyncGenerator<Uint8Array | string> {
  await held;
  yield* pieces as Iterable<string>;
}
