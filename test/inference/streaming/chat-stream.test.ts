import { describe, expect, it } from '@jest/globals';
import { BadUpstream, PlatformError } from '../../../src/errors.js';
import { DONE, chunk, event, wholeStream } from '../../support/servers/scripted-backend.js';
import { eventsOf, probeStream, readBatches, recordedBody } from '../../support/probes/stream-probe.js';

const EXACT = { promptTokens: 7, completionTokens: 3, precision: 'exact' };

describe('a relayed chat stream', () => {
  it('passes batches on as they came, and the end mark after the record', async () => {
    const [role = '', ...rest] = wholeStream('Hel', 'lo');
    const order: string[] = [];
    const probe = probeStream([role, rest.join('')], 'end', {
      finishing: async () => {
        order.push('finished');
      },
    });

    for await (const batch of probe.stream.batches()) order.push(Buffer.from(batch).toString());

    expect(order).toEqual([
      role,
      [chunk({ content: 'Hel' }), chunk({ content: 'lo' }), chunk({}, 'stop')].join(''),
      'finished',
      DONE,
    ]);
    expect(probe.finished).toEqual([{ usage: EXACT, outcome: 'completed' }]);
    expect(probe.source.released).toBe(true);
  });

  it('does not copy what does not concern it', async () => {
    const source = Buffer.from(chunk({ content: 'a' }) + chunk({ content: 'b' }));
    const probe = probeStream([source, DONE]);

    const { value } = await probe.stream.batches().next();

    expect(value).toMatchObject({ buffer: source.buffer, byteOffset: source.byteOffset, length: source.length });
  });

  it('gives the same answer wherever the bytes are split', async () => {
    const bytes = Buffer.from(wholeStream('Grüße', ' 😀 "usage" "error" [DONE]', '\\n\\n').join(''));
    const whole = await readBatches(probeStream([bytes]).stream);

    for (let at = 1; at < bytes.length; at += 1) {
      const split = await readBatches(probeStream([bytes.subarray(0, at), bytes.subarray(at)]).stream);
      expect([at, split.text, split.error]).toEqual([at, whole.text, undefined]);
    }
    expect(eventsOf(whole.text)).toHaveLength(5);
    expect(whole.text.endsWith(DONE)).toBe(true);
  });

  it.each(['end', 'break'] as const)('never says [DONE] when it is cut at any byte (%s)', async (ending) => {
    const bytes = Buffer.from(wholeStream('one', 'two').join(''));
    // A clean end behind what tells that the answer is finished is no cut.
    const complete = ending === 'end' ? bytes.indexOf('"stop"}]}') + '"stop"}]}'.length : bytes.length;

    for (let at = 0; at < complete; at += 1) {
      const probe = probeStream([bytes.subarray(0, at)], ending);
      const { text, error } = await readBatches(probe.stream);
      expect([at, error instanceof BadUpstream, text.includes('[DONE]')]).toEqual([at, true, false]);
      expect(probe.finished.map(({ outcome }) => outcome)).toEqual(['failed']);
    }
  });

  it('takes an end mark without its blank line at a clean end', async () => {
    const bytes = wholeStream('one').join('').trimEnd();

    const { text, error } = await readBatches(probeStream([bytes]).stream);

    expect(error).toBeUndefined();
    expect(text.endsWith(DONE)).toBe(true);
  });

  it('reads what follows the end mark no more', async () => {
    const { text, error } = await readBatches(
      probeStream([wholeStream('one').join('') + chunk({ content: 'late' })]).stream,
    );

    expect(error).toBeUndefined();
    expect(text).not.toContain('late');
  });

  it('leaves out a byte order mark', async () => {
    const text = `\ufeff${wholeStream('one').join('')}`;
    for (const cut of [1, 2, 3, 10]) {
      const bytes = Buffer.from(text);

      const { text: read } = await readBatches(probeStream([bytes.subarray(0, cut), bytes.subarray(cut)]).stream);

      const frames = wholeStream('one').filter((frame) => !frame.includes('usage'));
      expect(read).toBe(frames.join(''));
    }
  });

  it('brings other line ends, comments and other fields into one form', async () => {
    const odd = [
      ': welcome\r\n\r\n',
      `event: message\r\nid: 1\r\ndata:${JSON.stringify({ model: 'scripted', choices: [{ index: 0, delta: { content: 'a' } }] })}\r\n\r\n`,
      'data: {"choices":\ndata: []}\n\n',
      `\n${chunk({ content: 'b' })}`,
      'data: [DONE]\r\n\r\n',
    ].join('');
    const expected = [
      event({ model: 'scripted', choices: [{ index: 0, delta: { content: 'a' } }] }),
      event({ choices: [] }),
      chunk({ content: 'b' }),
    ];

    for (let at = 1; at < odd.length; at += 1) {
      const { text, error } = await readBatches(probeStream([odd.slice(0, at), odd.slice(at)]).stream);
      expect([at, text, error]).toEqual([at, expected.join('') + DONE, undefined]);
    }
  });

  it.each([
    ['broken JSON', 'data: {"choices":\n\n'],
    ['no JSON', 'data: <html>\n\n'],
    ['JSON that is no object', 'data: [1]\n\n'],
  ])('ends with an error at %s, after what came before it', async (_what, broken) => {
    const probe = probeStream([chunk({ content: 'a' }) + broken + chunk({ content: 'b' }) + DONE]);

    const { text, error } = await readBatches(probe.stream);

    expect(text).toBe(chunk({ content: 'a' }));
    expect(error).toBeInstanceOf(BadUpstream);
    expect(probe.finished).toMatchObject([{ outcome: 'failed' }]);
    expect(probe.source.cancelled).toBe(true);
  });

  it('refuses an event over 4 MiB', async () => {
    const part = Buffer.alloc(1_100_000, 'x');

    const { error } = await readBatches(probeStream(['data: {"a":"', part, part, part, part, '"}\n\n', DONE]).stream);

    expect(error).toMatchObject({ status: 502, code: 'bad_upstream' });
  });

  it.each([
    [
      'a numeric code of the client',
      { message: 'too long', type: 'x', code: 400 },
      { status: 400, code: 'bad_request', message: 'too long' },
    ],
    ['a server code', { message: 'CUDA at 10.0.0.1:80', code: 500 }, { status: 502, message: 'CUDA at *' }],
    ['a code of its account', { message: 'pay at 10.0.0.1', code: 402 }, { status: 502, code: 'bad_upstream' }],
    ['a word for a code', { message: 'oops', code: 'overloaded' }, { status: 502, message: 'oops' }],
    ['a bare text', 'oops', { status: 502, message: 'oops' }],
  ])('turns an error event with %s into our error', async (_what, error, expected) => {
    const probe = probeStream([chunk({ content: 'a' }) + event({ error }) + DONE]);

    const outcome = await readBatches(probe.stream);

    expect(outcome.text).toBe(chunk({ content: 'a' }));
    expect(outcome.error).toBeInstanceOf(PlatformError);
    expect(outcome.error).toMatchObject(expected);
    expect((outcome.error as Error).message).not.toContain('10.0.0.1');
  });

  it.each([
    ['an event that is named error', 'event: error\ndata: {"message":"no","code":400}\n\n', 400],
    ['one without a code', 'event: error\ndata: {"message":"no"}\n\n', 502],
    ['one that says nothing', 'event: error\n\n', 502],
    ['a field of its own', 'error: {"code":500,"message":"CUDA"}\n\n', 502],
  ])('turns %s into our error', async (_what, frame, status) => {
    const { text, error } = await readBatches(probeStream([chunk({ content: 'a' }) + frame + DONE]).stream);

    expect(text).toBe(chunk({ content: 'a' }));
    expect(error).toMatchObject({ status });
  });

  it('leaves a null error and a null usage alone', async () => {
    const bytes = chunk({ content: 'a' }, null, { usage: null, error: null });

    const { text } = await readBatches(probeStream([bytes + DONE]).stream);

    expect(text).toBe(bytes + DONE);
  });

  it('is not confused by a model that writes about usage, errors and end marks', async () => {
    const bytes =
      chunk({ content: 'data: [DONE]\n\n {"error":{"code":500}} {"usage":{}}' }) + chunk({ usage: 'x', error: 5 });

    const { text, error } = await readBatches(probeStream([bytes + DONE]).stream);

    expect([text, error]).toEqual([bytes + DONE, undefined]);
  });

  it.each([
    ['chat_stream', 5],
    ['chat_stream_usage', 5],
    ['chat_tool_stream', 55],
  ])('relays what llama.cpp recorded as %s', async (name, events) => {
    const probe = probeStream([recordedBody(name)], 'end', {
      model: name.includes('tool') ? 'tiny-tool' : 'tiny-random',
    });

    const { text, error } = await readBatches(probe.stream);

    expect(error).toBeUndefined();
    expect(eventsOf(text)).toHaveLength(events);
    expect(text.endsWith(DONE)).toBe(true);
    expect(probe.finished).toMatchObject([{ outcome: 'completed' }]);
  });
});
