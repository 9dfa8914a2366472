import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '../api.js';
import type { Target } from '../load.js';
import { INSTANT, makeRecording, sendAudio } from './echo-gateway.js';

/** Has a file transcribed, and waits for it. */
export async function transcribe(target: Target, path: string, isOver: () => boolean): Promise<void> {
  const id = await makeRecording(target, { model: INSTANT });
  await sendAudio(target, id, Readable.toWeb(createReadStream(path)) as ReadableStream);
  for (let status = ''; !isOver() && status !== 'completed'; await sleep(100)) {
    ({ status } = await callApi<{ status: string }>(target, { method: 'GET', path: `/v1/echo/recordings/${id}` }));
  }
}
