import { parentPort, workerData } from 'node:worker_threads';
import type { Target } from '../load.js';
import { PIECE, uploadInPieces } from './uploads.js';

// Uploads once more and more, until it is told to end.
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});
while (!isOver) await uploadInPieces(workerData as Target, 4 * PIECE);
