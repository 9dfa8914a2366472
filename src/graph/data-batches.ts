import type { EventStream } from './event-stream.js';

/** The end of a whole answer of unnamed events. */
export const END_MARK = Buffer.from('data: [DONE]\n\n');

const DONE = { value: undefined, done: true } as const;

/** An event that says how REST writes it. */
interface RawEvent {
  readonly raw: unknown;
}

/**
 * The events of a stream as `data:` lines of Server-Sent Events, with the end mark behind those of a whole answer.
 * @param takeReady takes the events that need not be waited for, so that all go out at once; default: none
 */
export function dataBatches<Event extends RawEvent>(
  stream: EventStream<Event>,
  takeReady: () => readonly Event[] = () => [],
): AsyncIterableIterator<Uint8Array> {
  let hasEnded = false;
  const batches: AsyncIterableIterator<Uint8Array> = {
    next: async () => {
      const { value, done } = await stream.next();
      if (!done) {
        const lines = [value, ...takeReady()].map(({ raw }) => `data: ${JSON.stringify(raw)}\n\n`);
        return { value: Buffer.from(lines.join('')), done: false };
      }
      if (hasEnded || !stream.isWhole) return DONE;
      hasEnded = true;
      return { value: END_MARK, done: false };
    },
    return: async () => {
      await stream.return?.();
      return DONE;
    },
    [Symbol.asyncIterator]: () => batches,
  };
  return batches;
}
