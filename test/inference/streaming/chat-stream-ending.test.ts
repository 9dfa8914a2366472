import { describe, expect, it } from '@jest/globals';
import { ClientGone, Unauthorized, Unavailable } from '../../../src/errors.js';
import type { ByteSource } from '../../../src/platform/net/egress.js';
import { DONE, chunk, wholeStream } from '../../support/servers/scripted-backend.js';
import { probeStream, readBatches } from '../../support/probes/stream-probe.js';
import type { StreamProbe } from '../../support/probes/stream-probe.js';

const DONE_RESULT = { value: undefined, done: true };

/** Waits until the record is finished. */
async function settled({ finished }: StreamProbe): Promise<StreamProbe['finished']> {
  while (finished.length === 0) await new Promise((resolve) => setImmediate(resolve));
  return finished;
}

describe('a chat stream that is left', () => {
  it('has opened nothing before it is read', async () => {
    const probe = probeStream(wholeStream('a'));

    const result = await probe.stream.return();

    expect(result).toEqual(DONE_RESULT);
    expect(await probe.stream.next()).toEqual(DONE_RESULT);
    expect(probe.counts).toEqual({ begun: 0, opened: 0 });
    expect(probe.finished).toEqual([]);
  });

  it('settles the pending read at once while the record is being begun, and never opens the upstream', async () => {
    const beginning = Promise.withResolvers<void>();
    const probe = probeStream(wholeStream('a'), 'end', { beginning: beginning.promise });
    const pending = probe.stream.batches().next();

    await probe.stream.return();
    const result = await pending;
    beginning.resolve();

    expect(result).toEqual(DONE_RESULT);
    expect(await settled(probe)).toMatchObject([{ outcome: 'cancelled', usage: { completionTokens: 0 } }]);
    expect(probe.counts).toEqual({ begun: 1, opened: 0 });
  });

  it('aborts the upstream while it waits for its answer', async () => {
    let reason: unknown;
    const opening = Promise.withResolvers<void>();
    const open = (signal: AbortSignal): Promise<ByteSource> =>
      new Promise((_resolve, reject) => {
        opening.resolve();
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          reject(signal.reason);
        });
      });
    const probe = probeStream([], 'end', { open });
    const pending = probe.stream.next();
    await opening.promise;

    await probe.stream.return();

    expect(await pending).toEqual(DONE_RESULT);
    expect(reason).toBeInstanceOf(ClientGone);
    expect(await settled(probe)).toEqual([
      { outcome: 'cancelled', usage: { promptTokens: 5, completionTokens: 0, precision: 'estimated' } },
    ]);
  });

  it('closes the upstream while it waits for the next event, and counts what was relayed', async () => {
    const probe = probeStream([chunk({ content: 'fine' })], 'hang');
    const batches = probe.stream.batches();
    await batches.next();
    const pending = batches.next();

    await batches.return?.();

    expect(await pending).toEqual(DONE_RESULT);
    expect(probe.source.cancelled).toBe(true);
    expect(await settled(probe)).toEqual([
      { outcome: 'cancelled', usage: { promptTokens: 5, completionTokens: 1, precision: 'estimated' } },
    ]);
  });

  it('closes the upstream between two reads, by either view', async () => {
    const byEvent = probeStream(wholeStream('a'), 'hang');
    const byBatch = probeStream(wholeStream('a'), 'hang');
    await byEvent.stream.next();
    await byBatch.stream.batches().next();

    await byEvent.stream.return();
    await byBatch.stream.return();

    for (const probe of [byEvent, byBatch]) {
      expect(probe.source.cancelled).toBe(true);
      expect(await settled(probe)).toMatchObject([{ outcome: 'cancelled' }]);
    }
    expect(await byBatch.stream.batches().next()).toEqual(DONE_RESULT);
  });

  it('is settled once, however often it is left', async () => {
    const probe = probeStream(wholeStream('a'), 'hang');
    await probe.stream.next();

    await Promise.all([
      probe.stream.return(),
      probe.stream.return(),
      probe.stream.throw(new Error('x')).catch(() => undefined),
    ]);
    await settled(probe);

    expect(probe.finished).toHaveLength(1);
  });

  it('stays completed when it is left after its end', async () => {
    const probe = probeStream([wholeStream('a').join('')]);
    const batches = probe.stream.batches();
    await batches.next();
    await batches.next();

    await batches.return?.();

    expect(probe.finished).toMatchObject([{ outcome: 'completed' }]);
    expect(probe.source.cancelled).toBe(false);
  });
});

describe('a chat stream whose request is aborted', () => {
  it('ends with the reason of the abort, closed and settled', async () => {
    const controller = new AbortController();
    const probe = probeStream([chunk({ content: 'fine' })], 'hang', { signal: controller.signal });
    const batches = probe.stream.batches();
    await batches.next();
    const pending = batches.next();

    controller.abort(new Unauthorized('The session has ended.', 'token_revoked'));

    await expect(pending).rejects.toMatchObject({ status: 401, details: { reason: 'token_revoked' } });
    expect(probe.source.cancelled).toBe(true);
    expect(probe.finished).toMatchObject([{ outcome: 'cancelled' }]);
  });

  it('is closed and settled though nobody reads', async () => {
    const controller = new AbortController();
    const probe = probeStream([chunk({ content: 'fine' })], 'hang', { signal: controller.signal });
    await probe.stream.batches().next();

    controller.abort(new ClientGone());

    expect(probe.source.cancelled).toBe(true);
    expect(await settled(probe)).toMatchObject([{ outcome: 'cancelled' }]);
    await expect(probe.stream.batches().next()).rejects.toBeInstanceOf(ClientGone);
  });

  it('begins nothing where it was aborted before', async () => {
    const probe = probeStream(wholeStream('a'), 'end', { signal: AbortSignal.abort(new ClientGone()) });

    await expect(probe.stream.next()).rejects.toBeInstanceOf(ClientGone);
    expect(probe.counts).toEqual({ begun: 0, opened: 0 });
  });

  it('leaves no listener behind', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = ((...args: Parameters<typeof add>) => ((listeners += 1), add(...args))) as typeof add;
    signal.removeEventListener = ((...args: Parameters<typeof remove>) => (
      (listeners -= 1),
      remove(...args)
    )) as typeof remove;

    await readBatches(probeStream(wholeStream('a'), 'end', { signal }).stream);
    await readBatches(probeStream([chunk({})], 'break', { signal }).stream);
    const left = probeStream(wholeStream('a'), 'hang', { signal });
    await left.stream.next();
    await left.stream.return();
    await settled(left);

    expect(listeners).toBe(0);
  });
});

describe('a chat stream whose record cannot be written', () => {
  it('ends with an error and without its end mark', async () => {
    const probe = probeStream([wholeStream('a').join('')], 'end', {
      finishing: () => Promise.reject(new Unavailable('Usage cannot be recorded.')),
    });

    const { text, error } = await readBatches(probe.stream);

    expect(error).toMatchObject({ status: 503 });
    expect(text).toContain('"a"');
    expect(text).not.toContain('[DONE]');
    expect(probe.finished).toHaveLength(1);
  });

  it('keeps the first error where the upstream has failed too', async () => {
    const probe = probeStream([chunk({ content: 'a' })], 'break', {
      finishing: () => Promise.reject(new Unavailable('Usage cannot be recorded.')),
    });

    const { error } = await readBatches(probe.stream);

    expect(error).toMatchObject({ status: 502 });
  });

  it('is settled with its end mark only when the record is', async () => {
    const writing = Promise.withResolvers<void>();
    const probe = probeStream([wholeStream('a').join('')], 'end', { finishing: () => writing.promise });
    const batches = probe.stream.batches();
    await batches.next();
    let last: string | undefined;
    const pending = batches.next().then(({ value }) => (last = Buffer.from(value as Uint8Array).toString()));

    await settled(probe);
    const before = last;
    writing.resolve();
    await pending;

    expect([before, last]).toEqual([undefined, DONE]);
  });
});
