import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FrameBuffer } from '../../../src/inference/streaming/event-frames.js';
import type { ByteSource } from '../../../src/platform/net/egress.js';
import { chunk, DONE, wholeStream } from '../../support/servers/scripted-backend.js';
import { probeStream, readBatches } from '../../support/probes/stream-probe.js';
import { cpuGrowth, IN_PROPORTION } from '../../support/probes/cpu-growth.js';

const FIRST = 'data: {"a":1}\n\n';
const SECOND = 'event: x\ndata: {"b":": no comment\\n\\n:"}\n\n';

/** Everything that a frame buffer gives of bytes that come in pieces. */
function framesOf(...pieces: (string | Buffer)[]): string {
  const frames = new FrameBuffer();
  const blocks = pieces.map((piece) => frames.push(Buffer.from(piece)));
  return [...blocks, frames.end()].map((block) => block?.toString('utf8') ?? '').join('');
}

describe('comments in an event stream', () => {
  const comments = [': a\n\n', ':\n\n', ': a\r\n\r\n', '\n', '\r\n', ':a\n:b\n\n', ': äöü\n\n\n\n'];

  it('are dropped before, between and behind frames, wherever they are cut', () => {
    for (const comment of comments) {
      const bytes = Buffer.from(comment + FIRST + comment + comment + SECOND + comment);
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        const text = framesOf(bytes.subarray(0, cut), bytes.subarray(cut));
        expect([comment, cut, text]).toEqual([comment, cut, FIRST + SECOND]);
      }
      expect(framesOf(...[...bytes].map((byte) => Buffer.from([byte])))).toBe(FIRST + SECOND);
    }
  });

  it('take nothing with them that stands on the next line, however lines end', () => {
    for (const end of ['\n', '\r\n', '\r']) expect(framesOf(`: a${end}${FIRST}`)).toBe(FIRST);
  });

  it('leave a frame as it is that has some within', () => {
    const frame = 'data: {"a":\n: a\ndata: 1}\n\n';

    expect(framesOf(FIRST + frame)).toBe(FIRST + frame);
  });

  it.each([
    ['comments', 10_000_000, Buffer.from(':\n\n'.repeat(5_000))],
    ['pieces of one large frame', 4_000_000, Buffer.alloc(1_000, 'x')],
  ])('cost time in proportion to their bytes, as %s do', async (_what, bytes, piece) => {
    const growth = await cpuGrowth(
      bytes,
      (size) => Math.ceil(size / piece.length),
      (count) => {
        const frames = new FrameBuffer();
        for (let sent = 0; sent < count; sent += 1) expect(frames.push(piece)).toBeUndefined();
      },
    );

    expect(growth).toBeLessThan(IN_PROPORTION);
  });

  it('count towards no frame, which must not be too large', () => {
    const frames = new FrameBuffer();
    const flood = Buffer.from(':\n\n'.repeat(5_000));
    const piece = Buffer.alloc(1_000, 'x');

    for (let sent = 0; sent < 10_000_000; sent += flood.length) frames.push(flood);
    for (let sent = 0; sent < 4_000_000; sent += piece.length) frames.push(piece);

    expect(() => {
      for (let sent = 0; sent < 1_000_000; sent += piece.length) frames.push(piece);
    }).toThrow('too large');
  });

  it('are not counted where the usage is estimated', async () => {
    const parts = [chunk({ content: 'Hello, how are you?' }), chunk({}, 'stop'), DONE];
    const plain = probeStream(parts);
    const commented = probeStream(parts.map((part) => `${': x\n\n'.repeat(1_000)}${part}`));

    const { text } = await readBatches(plain.stream);

    expect((await readBatches(commented.stream)).text).toBe(text);
    expect(commented.finished).toEqual(plain.finished);
    expect(plain.finished).toMatchObject([{ usage: { precision: 'estimated' }, outcome: 'completed' }]);
  });
});

describe('a stream without events', () => {
  let now = 0;
  beforeEach(() => void jest.spyOn(performance, 'now').mockImplementation(() => now));
  afterEach(() => void jest.restoreAllMocks());

  /** Sends a piece again and again, each after some milliseconds. */
  function forEver(pieces: Iterator<string>, milliseconds = 5): ByteSource & { cancelled: boolean } {
    return {
      cancelled: false,
      next: async () => {
        await turn();
        now += milliseconds;
        return Buffer.from(pieces.next().value ?? '');
      },
      cancel() {
        this.cancelled = true;
      },
      release: () => undefined,
    };
  }
  function* each(first: readonly string[], then: string): Generator<string> {
    yield* first;
    for (;;) yield then;
  }

  it.each([
    ['comments', [], ': still here\n\n'],
    ['comments behind an event', [chunk({ content: 'a' })], ':\n\n'],
    ['blank lines', [], '\n'],
    ['events without data', [], 'event: ping\n\n'],
    ['events with empty data', [], 'data:\n\n'],
    ['an event that does not end', ['data: {"choices":[{"delta":{"content":"'], 'x'],
  ] as [string, string[], string][])('ends with 504 after %s for ever', async (_what, first, then) => {
    const source = forEver(each(first, then));
    const open = async (): Promise<ByteSource> => source;
    const probe = probeStream([], 'end', { open, idleMilliseconds: 200 });

    const { error, text } = await readBatches(probe.stream);

    expect(error).toMatchObject({ status: 504, code: 'upstream_timeout' });
    expect(text).toBe(first.filter((part) => part.endsWith('\n\n')).join(''));
    expect(source.cancelled).toBe(true);
    expect(probe.finished).toMatchObject([{ outcome: 'failed' }]);
  });

  it('goes on where events come in time, and where it is read slowly', async () => {
    const texts = wholeStream('a', 'b', 'c').flatMap((part) => [': x\n\n', part]);
    const open = async (): Promise<ByteSource> => forEver(texts.values(), 60);
    const probe = probeStream([], 'end', { open, idleMilliseconds: 300 });
    const events = [];
    for await (const event of probe.stream) {
      events.push(event);
      if (events.length === 2) now += 400;
    }

    expect(events).toHaveLength(5);
    expect(probe.finished).toMatchObject([{ outcome: 'completed' }]);
  });
});
