import { parentPort, workerData } from 'node:worker_threads';
import { PIECE, uploadInPieces } from './uploads.js';
import type { AudioWork } from './audio-thread.js';
import { transcribe } from './transcribe.js';

// Does it again and again, until it is told to end.
const { target, path } = workerData as AudioWork;
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});
while (!isOver) {
  if (path === undefined) await uploadInPieces(target, 4 * PIECE);
  else await transcribe(target, path, () => isOver);
}
