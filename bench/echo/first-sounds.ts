import type { Environment } from '../environment.js';
import { percentile } from '../load.js';
import type { Target } from '../load.js';
import type { Figure, Section } from '../section.js';
import { proseOf } from '../knowledge/prose.js';
import { echoServer, INSTANT } from './echo-gateway.js';

const LENGTHS = [100, 4_000, 99_000];
const FORMATS = ['wav', 'mp3'] as const;
const WAV_HEAD_BYTES = 44;

/** How soon the first sound of speech is there. */
export function firstSounds(environment: Environment, isQuick: boolean): Section {
  const times = isQuick ? 3 : 12;
  return {
    name: 'echo-speech',
    title: 'The first sound of speech',
    about: `From the request to the first samples behind a WAV file's head, or the first bytes of mp3; the client leaves then. Of ${times}
requests each, one after another. The model server answers with a second of a tone at once.`,
    columns: ['builtin-flite', 'espeak-ng', 'a model server'],
    measure: async (column) => {
      const running = await echoServer(environment, 'PostgreSQL');
      try {
        const model = column === 'a model server' ? INSTANT : column;
        const ask = (format: string, length: number) => firstSound(running.target, model, format, length);
        // Compiles and starts what speaks.
        for (const format of FORMATS) for (let count = 0; count < 3; count += 1) await ask(format, 100);
        const figures: Figure[] = [];
        for (const format of FORMATS) {
          for (const length of LENGTHS) {
            const waits: number[] = [];
            for (let count = 0; count < times; count += 1) waits.push(await ask(format, length));
            waits.sort((one, other) => one - other);
            const row = `${length.toLocaleString('en')} characters as ${format}`;
            figures.push(
              { row: `${row}: p50, ms`, value: percentile(waits, 0.5) },
              { row: `${row}: longest, ms`, value: percentile(waits, 1), reach: { atMost: 400 } },
            );
          }
        }
        return figures;
      } finally {
        await running.stop();
      }
    },
  };
}

/** @returns milliseconds */
async function firstSound(target: Target, model: string, format: string, length: number): Promise<number> {
  const startedAt = performance.now();
  for await (const heard of sounds(target, {
    model,
    input: proseOf(length, 1).slice(0, length),
    response_format: format,
  })) {
    if (heard > (format === 'wav' ? WAV_HEAD_BYTES : 0)) return performance.now() - startedAt;
  }
  throw new Error('There was no sound.');
}

/** Has texts spoken one after another, and listens to all of them, until it is told to end. */
export async function listenOn(target: Target, isOver: () => boolean): Promise<void> {
  const body = { model: 'builtin-flite', input: proseOf(2_000, 1), response_format: 'mp3' };
  for await (const _ of sounds(target, body)) if (isOver()) return;
  if (!isOver()) await listenOn(target, isOver);
}

/** How many bytes were heard, each time that some come. */
async function* sounds({ origin, headers }: Target, body: object): AsyncGenerator<number, void, undefined> {
  const leaving = new AbortController();
  try {
    const answer = await fetch(`${origin}/v1/audio/speech`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    if (!answer.ok) throw new Error(`Speech was answered ${answer.status}: ${await answer.text()}`);
    let heard = 0;
    for await (const bytes of answer.body ?? []) yield (heard += bytes.length);
  } finally {
    leaving.abort();
  }
}
