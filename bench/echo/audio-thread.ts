import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Target } from '../load.js';

const ASKED_EACH_MS = 100;

/** What a thread does. */
export interface AudioWork {
  readonly target: Target;
  /** A recording that it has transcribed; absent: it uploads. */
  readonly path?: string;
}

/**
 * Has a thread of its own send audio once more and more, until it is told to end: a client that writes many MiB at once
 * would hold up whoever measures in this one by up to 0.3 s.
 */
export async function sendOn({ target, path }: AudioWork, isOver: () => boolean): Promise<void> {
  const { origin, headers } = target;
  const work: AudioWork = { target: { origin, headers }, ...(path !== undefined && { path }) };
  const worker = new Worker(new URL('audio-worker.ts', import.meta.url), { workerData: work });
  const exited = once(worker, 'exit');
  while (!isOver()) await Promise.race([sleep(ASKED_EACH_MS), exited]);
  worker.postMessage('end');
  await exited;
}
