import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { wavHead } from '../../test/support/servers/speech-server.js';
import type { Environment } from '../environment.js';
import type { Target } from '../load.js';
import { residentKib } from '../processes.js';
import type { Figure, Section } from '../section.js';
import { echoServer, makeRecording, sendAudio } from './echo-gateway.js';

const MEBIBYTE = 1024 * 1024;
/** Audio is sent in pieces of so many bytes. */
export const PIECE = 8 * MEBIBYTE;
const SAMPLE_MS = 20;
const WARM_UP = 32 * MEBIBYTE;
/** What was done behind the answer to the uploads before is over. */
const REST_MS = 3_000;

/** What uploads of audio take of memory, and how fast they are. */
export function audioUploads(environment: Environment, isQuick: boolean): Section {
  const mebibytes = isQuick ? 64 : 512;
  return {
    name: 'echo-uploads',
    title: 'Uploads of audio',
    about: `${mebibytes} MiB of a recording, in pieces of 8 MiB and as one body, into the data folder. Memory is that of the server's
process while they come.`,
    columns: ['PostgreSQL', 'embedded'],
    rounds: 1,
    measure: async (column) => {
      const running = await echoServer(environment, column as 'PostgreSQL' | 'embedded');
      try {
        const { target, server } = running;
        await uploadInPieces(target, WARM_UP);
        await asOneBody(target, WARM_UP);
        const figures: Figure[] = [];
        for (const [name, upload] of Object.entries({
          'in pieces of 8 MiB': uploadInPieces,
          'as one body': asOneBody,
        })) {
          await sleep(REST_MS);
          const { seconds, added } = await watched(server.pid, () => upload(target, mebibytes * MEBIBYTE));
          figures.push(
            { row: `${mebibytes} MiB ${name}: extra memory, MiB`, value: added, reach: { below: 64 } },
            { row: `${mebibytes} MiB ${name}, MiB/s`, value: mebibytes / seconds },
          );
        }
        return figures;
      } finally {
        await running.stop();
      }
    },
  };
}

/** Uploads a recording. The client does not say that it was all: nothing is transcribed. */
export async function uploadInPieces(target: Target, size: number): Promise<void> {
  const id = await makeRecording(target, {});
  let start = 0;
  for (const bytes of audio(size)) {
    await sendAudio(target, id, bytes, `bytes ${start}-${start + bytes.length - 1}/*`);
    start += bytes.length;
  }
}

async function asOneBody(target: Target, size: number): Promise<void> {
  await sendAudio(target, await makeRecording(target, { model: 'instant' }), ReadableStream.from(audio(size)));
}

const noise = randomBytes(PIECE);

/** A WAV file, in pieces of 8 MiB. */
function* audio(size: number): Generator<Uint8Array> {
  const head = wavHead(size - 44);
  yield Buffer.concat([head, noise.subarray(head.length)]);
  for (let sent = PIECE; sent < size; sent += PIECE) yield noise;
}

async function watched(pid: number, work: () => Promise<void>): Promise<{ seconds: number; added: number }> {
  const before = residentKib(pid);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, residentKib(pid));
  }, SAMPLE_MS);
  const startedAt = performance.now();
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return { seconds: (performance.now() - startedAt) / 1_000, added: (most - before) / 1_024 };
}
