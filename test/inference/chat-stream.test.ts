import { describe, expect, it } from '@jest/globals';
import { BadRequest, BadUpstream, PlatformError } from '../../src/errors.js';
import type { AnswerStage } from '../../src/inference/answer-stage.js';
import { DONE, USAGE, chunk, event, usageChunk, wholeStream } from '../support/scripted-backend.js';
import { eventsOf, probeStream, readBatches, recordedBody } from '../support/stream-probe.js';

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

    expect(order).toEqual([role, [chunk({ content: 'Hel' }), chunk({ content: 'lo' }), chunk({}, 'stop')].join(''), 'finished', DONE]);
    expect(probe.finished).toEqual([{ usage: EXACT, outcome: 'completed' }]);
    expect(probe.source.released).toBe(true);
  });

  it('does not copy what does not concern it', async () => {
    const source = Buffer.from(chunk({ content: 'a' }) + chunk({ content: 'b' }));
    const probe = probeStream([source, DONE]);

    const first = await probe.stream.batches().next();

    expect((first.value as Buffer).equals(source)).toBe(true);
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
    const complete = bytes.length - (ending === 'end' ? 2 : 0);

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
    const { text, error } = await readBatches(probeStream([wholeStream('one').join('') + chunk({ content: 'late' })]).stream);

    expect(error).toBeUndefined();
    expect(text).not.toContain('late');
  });

  it('brings other line ends, comments and other fields into one form', async () => {
    const odd = [
      ': welcome\r\n\r\n',
      `event: message\r\nid: 1\r\ndata:${JSON.stringify({ choices: [{ index: 0, delta: { content: 'a' } }] })}\r\n\r\n`,
      'data: {"choices":\ndata: []}\n\n',
      `\n${chunk({ content: 'b' })}`,
      'data: [DONE]\r\n\r\n',
    ].join('');
    const expected = [event({ choices: [{ index: 0, delta: { content: 'a' } }] }), event({ choices: [] }), chunk({ content: 'b' })];

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

  it('refuses an event over 1 MiB', async () => {
    const part = Buffer.alloc(300_000, 'x');

    const { error } = await readBatches(probeStream(['data: {"a":"', part, part, part, part, '"}\n\n', DONE]).stream);

    expect(error).toMatchObject({ status: 502, code: 'bad_upstream' });
  });

  it.each([
    ['a numeric code of the client', { message: 'too long', type: 'x', code: 400 }, { status: 400, code: 'bad_request', message: 'too long' }],
    ['a server code', { message: 'CUDA at 10.0.0.1', code: 500 }, { status: 502, code: 'bad_upstream' }],
    ['a word for a code', { message: 'oops', code: 'overloaded' }, { status: 502 }],
    ['a bare text', 'oops', { status: 502 }],
  ])('turns an error event with %s into our error', async (_what, error, expected) => {
    const probe = probeStream([chunk({ content: 'a' }) + event({ error }) + DONE]);

    const outcome = await readBatches(probe.stream);

    expect(outcome.text).toBe(chunk({ content: 'a' }));
    expect(outcome.error).toBeInstanceOf(PlatformError);
    expect(outcome.error).toMatchObject(expected);
    expect((outcome.error as Error).message).not.toContain('10.0.0.1');
  });

  it('leaves a null error and a null usage alone', async () => {
    const bytes = chunk({ content: 'a' }, null, { usage: null, error: null });

    const { text } = await readBatches(probeStream([bytes + DONE]).stream);

    expect(text).toBe(bytes + DONE);
  });

  it('is not confused by a model that writes about usage, errors and end marks', async () => {
    const bytes = chunk({ content: 'data: [DONE]\n\n {"error":{"code":500}} {"usage":{}}' }) + chunk({ usage: 'x', error: 5 });

    const { text, error } = await readBatches(probeStream([bytes + DONE]).stream);

    expect([text, error]).toEqual([bytes + DONE, undefined]);
  });

  it.each([
    ['chat_stream', 5],
    ['chat_stream_usage', 4],
    ['chat_tool_stream', 60],
  ])('relays what llama.cpp recorded as %s', async (name, least) => {
    const probe = probeStream([recordedBody(name)], 'end', { model: name.includes('tool') ? 'tiny-tool' : 'tiny-random' });

    const { text, error } = await readBatches(probe.stream);

    expect(error).toBeUndefined();
    expect(eventsOf(text).length).toBeGreaterThanOrEqual(least);
    expect(text.endsWith(DONE)).toBe(true);
    expect(probe.finished).toMatchObject([{ outcome: 'completed' }]);
  });
});

describe('the usage of a chat stream', () => {
  it('is kept from a client who did not ask, and shown to one who did', async () => {
    const parts = wholeStream('a');

    const hidden = await readBatches(probeStream([parts.join('')]).stream);
    const shown = await readBatches(probeStream([parts.join('')], 'end', { includeUsage: true }).stream);

    expect(hidden.text).not.toContain('usage');
    expect(shown.text).toBe(parts.join(''));
    expect(shown.batches.at(-1)).toBe(usageChunk() + DONE);
  });

  it('is split off a chunk that also has an answer', async () => {
    const bytes = chunk({ content: 'a' }) + chunk({}, 'stop', { usage: USAGE }) + chunk({ content: '' }) + DONE;
    const probe = probeStream([bytes], 'end', { includeUsage: true });

    const { text } = await readBatches(probe.stream);

    expect(text).toBe(chunk({ content: 'a' }) + chunk({}, 'stop') + chunk({ content: '' }) + usageChunk() + DONE);
    expect(probe.finished).toEqual([{ usage: EXACT, outcome: 'completed' }]);
  });

  it('is estimated where the upstream tells none', async () => {
    const bytes = chunk({ role: 'assistant' }) + chunk({ content: 'I am fine, ' }) + chunk({ content: 'thank you.' }) + DONE;
    const probe = probeStream([bytes], 'end', { includeUsage: true });

    const { text } = await readBatches(probe.stream);

    expect(probe.finished).toEqual([{ usage: { promptTokens: 5, completionTokens: 7, precision: 'estimated' }, outcome: 'completed' }]);
    expect(eventsOf(text).at(-1)).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_760_000_000,
      model: 'scripted',
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
    });
  });

  it('is estimated where what the upstream tells cannot be counted', async () => {
    const bytes = chunk({ content: 'fine' }) + usageChunk({ prompt_tokens: -1, completion_tokens: 'many' }) + DONE;
    const probe = probeStream([bytes], 'end', { includeUsage: true });

    const { text } = await readBatches(probe.stream);

    expect(probe.finished).toMatchObject([{ usage: { completionTokens: 1, precision: 'estimated' } }]);
    expect(text).not.toContain('many');
  });

  it('is estimated from a sample of a long answer, close to the truth', async () => {
    const parts = Array.from({ length: 2_000 }, (_, index) => chunk({ content: `word${index % 10} ` }));
    const probe = probeStream([...parts, DONE]);

    await readBatches(probe.stream);

    const [{ usage } = { usage: undefined }] = probe.finished;
    expect(usage?.completionTokens).toBeGreaterThan(5_500);
    expect(usage?.completionTokens).toBeLessThan(6_500);
  });

  it('counts the relayed part of an answer that breaks off', async () => {
    const probe = probeStream([chunk({ content: 'fine' })], 'break');

    await readBatches(probe.stream);

    expect(probe.finished).toEqual([{ usage: { promptTokens: 5, completionTokens: 1, precision: 'estimated' }, outcome: 'failed' }]);
  });
});

describe('the stages of a chat stream', () => {
  /** Holds every text back until the end. */
  class Gather implements AnswerStage {
    private text = '';

    transform(piece: Record<string, unknown>): Record<string, unknown>[] {
      const [choice] = piece.choices as { delta?: { content?: string } }[];
      if (choice?.delta?.content === undefined) return [piece];
      this.text += choice.delta.content;
      return [];
    }

    flush(): Record<string, unknown>[] {
      return [{ choices: [{ index: 0, delta: { content: this.text.toUpperCase() } }] }];
    }
  }

  it('change, hold back and add chunks in both views', async () => {
    const parts = wholeStream('a', 'b');
    const byBatch = await readBatches(probeStream([parts.join('')], 'end', { stages: [new Gather()], includeUsage: true }).stream);
    const events = [];
    for await (const { raw } of probeStream(parts, 'end', { stages: [new Gather()], includeUsage: true }).stream) events.push(raw);

    expect(eventsOf(byBatch.text)).toEqual(events);
    expect(events).toMatchObject([{ choices: [{ finish_reason: 'stop' }] }, { choices: [{ delta: { content: 'AB' } }] }, { usage: USAGE }]);
    expect(byBatch.text.endsWith(DONE)).toBe(true);
  });

  it('give every event the public name of the model where the upstream has another', async () => {
    const probe = probeStream([wholeStream('a').join('')], 'end', { model: 'public/name', includeUsage: true });

    const { text } = await readBatches(probe.stream);

    const events = eventsOf(text);
    expect(events).toHaveLength(4);
    expect(events.map(({ model }) => model)).toEqual(events.map(() => 'public/name'));
  });
});

describe('a chat stream by event', () => {
  it('gives typed chunks with the whole event beside them', async () => {
    const call = { index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '{' } };
    const { stream } = probeStream([chunk({ role: 'assistant', content: null }), chunk({ tool_calls: [call] }) + chunk({}, 'stop') + DONE]);

    const events = [];
    for await (const piece of stream) events.push(piece);

    expect(events.map(({ choices }) => choices)).toEqual([
      [{ index: 0, delta: { role: 'assistant', content: null, toolCalls: null }, finishReason: null }],
      [{ index: 0, delta: { role: null, content: null, toolCalls: [call] }, finishReason: null }],
      [{ index: 0, delta: { role: null, content: null, toolCalls: null }, finishReason: 'stop' }],
    ]);
    expect(events[0]?.raw).toMatchObject({ id: 'chatcmpl-1', choices: [{ delta: { role: 'assistant' } }] });
  });

  it('ends with the same errors', async () => {
    const { stream } = probeStream([chunk({ content: 'a' }) + event({ error: { message: 'no', code: 400 } })]);

    await stream.next();

    await expect(stream.next()).rejects.toBeInstanceOf(PlatformError);
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  it('keeps a refusal that came as the upstream was opened', async () => {
    const probe = probeStream([], 'end', { open: () => Promise.reject(new BadRequest('no', 'tools')) });

    await expect(probe.stream.next()).rejects.toMatchObject({ status: 400, message: 'no' });
    expect(probe.finished).toEqual([{ usage: { promptTokens: 0, completionTokens: 0, precision: 'estimated' }, outcome: 'failed' }]);
  });
});
