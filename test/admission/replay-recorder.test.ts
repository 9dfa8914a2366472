import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { StoredResponse } from '../../src/admission/stored-response.js';
import { Reply } from '../../src/admission/reply.js';
import type { RequestContext } from '../../src/context.js';
import { ClientGone } from '../../src/errors.js';
import type { PlatformError } from '../../src/errors.js';
import type { EventStream } from '../../src/graph/event-stream.js';
import { sendStream } from '../../src/rest/send-stream.js';
import { ReplayRecorder } from '../../src/admission/replay-recorder.js';

describe('a stream that is recorded for its idempotency key', () => {
  it('is stored before its end is sent, so that a client who leaves with it can ask again', async () => {
    const stored = await sendTo(['one', 'two'], true);

    expect(stored.map((body) => body?.toString())).toEqual(['onetwo']);
  });

  it('is stored where its client has left and it goes on, though nobody reads it', async () => {
    const stored = await sendTo(['one', 'two', 'three'], true, { leavesAt: 2, goesOn: true });

    expect(stored.map((body) => body?.toString())).toEqual(['onetwothree']);
  });

  it('is not stored where it was left before its end', async () => {
    expect(await sendTo(['one', 'two'], false)).toEqual([]);
  });
});

/** Sends batches to a client who leaves with one of them, the last unless told otherwise, whose bytes never drain. */
async function sendTo(
  batches: string[],
  isWhole: boolean,
  { leavesAt = batches.length, goesOn = false } = {},
): Promise<(Buffer | undefined)[]> {
  const stored: (Buffer | undefined)[] = [];
  const complete = async (build: () => StoredResponse | undefined) => void stored.push(build()?.body);
  const controller = new AbortController();
  let sent = 0;
  const stream = {
    isWhole: false,
    async *batches() {
      for (const [index, batch] of batches.entries()) {
        if (index === batches.length - 1) stream.isWhole = isWhole;
        yield Buffer.from(batch);
      }
    },
  };
  const response = Object.assign(new EventEmitter(), {
    req: { method: 'POST' },
    writeHead: () => undefined,
    closed: false,
    write: () => {
      sent += 1;
      if (sent < leavesAt) return true;
      if (goesOn) setImmediate(() => Object.assign(response, { closed: true }).emit('close'));
      else controller.abort(new ClientGone());
      return false;
    },
    end: () => undefined,
  });
  await sendStream(
    response as unknown as ServerResponse,
    { reply: new Reply(), signal: controller.signal, admission: { complete } } as unknown as RequestContext,
    stream as unknown as EventStream<unknown>,
    { stream: 'NAMED', path: '/v1/responses' },
    (error) => error as PlatformError,
    new ReplayRecorder({}),
  );
  return stored;
}
