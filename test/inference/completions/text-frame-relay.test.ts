import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import type { AnswerText } from '../../../src/inference/calls/text-transform.js';
import { toFrame } from '../../../src/inference/completions/chunk-stream-codec.js';
import { TextFrameRelay } from '../../../src/inference/completions/text-frame-relay.js';
import type { AnyJson } from '../../support/probes/any-json.js';

const pieces = fc.array(
  fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom('sec', 'ret', 'secret', 's', ' ')),
);

describe('frames that differ in their text alone', () => {
  it('go out as they came where nothing is changed or held back', () => {
    const relay = newRelay(unchanged());
    relay.learn(frame('Hi'));
    const block = Buffer.concat([frame('a "quoted" \\ é 😀'), frame('\n'), frame('')]);

    const { sent, end } = relay.relay(block);

    expect(end).toBe(block.length);
    expect(Buffer.concat(sent).equals(block)).toBe(true);
  });

  it('have together the text that the transform makes, wherever they are cut', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 6 }), (blocks) => {
        const answer = secretless();
        const relay = newRelay(answer);
        relay.learn(frame(''));

        const sent = blocks.flatMap((texts) => relay.relay(Buffer.concat(texts.map((text) => frame(text)))).sent);

        const whole = secretless();
        const expected = whole.write(blocks.flat().join('')) + whole.end();
        expect(textOf(Buffer.concat(sent)) + answer.end()).toBe(expected.toWellFormed());
      }),
      { numRuns: 500 },
    );
  });

  it('are those of any language', () => {
    const relay = newRelay(unchanged());
    relay.learn(frame('早'));
    const block = Buffer.concat(['上好。', 'Grüße ', '😀', '', '"é"\n', 'a'].map((text) => frame(text)));

    const { sent, end } = relay.relay(block);

    expect(end).toBe(block.length);
    expect(Buffer.concat(sent).equals(block)).toBe(true);
  });

  it('have the public name of the model', () => {
    const relay = newRelay(unchanged());
    relay.learn(frame('Hi', { model: 'upstream-name' }));

    const { sent } = relay.relay(
      Buffer.concat([frame('a', { model: 'upstream-name' }), frame('b', { model: 'upstream-name' })]),
    );

    expect(chunksOf(Buffer.concat(sent)).map(({ model }) => model)).toEqual(['public', 'public']);
    expect(textOf(Buffer.concat(sent))).toBe('ab');
  });

  it.each([
    ['another choice', frame('x', {}, { index: 1 })],
    ['an end', frame('x', {}, { finish_reason: 'stop' })],
    ['thoughts', frame('x', {}, { delta: { content: 'x', reasoning_content: 'y' } })],
    ['a call', frame('x', {}, { delta: { tool_calls: [] } })],
    ['another id', frame('x', { id: 'other' })],
    ['usage', frame('x', { usage: { total_tokens: 1 } })],
    ['a text that is not JSON', Buffer.from(frame('x').toString().replace('"x"', '"\\u12"'))],
    ['a line feed that is not escaped', Buffer.from(frame('é-x').toString().replace('-', '\n'))],
    ['two contents', Buffer.from(frame('x').toString().replace('"content":"x"', '"content":"x","content":"y"'))],
    ['the end mark', Buffer.from('data: [DONE]\n\n')],
    ['a text that takes long', frame('x'.repeat(20_000))],
  ])('end where one has more: %s', (_what, other) => {
    const relay = newRelay(unchanged());
    relay.learn(frame('Hi'));
    const before = frame('before');

    const { sent, end } = relay.relay(Buffer.concat([before, other, frame('behind')]));

    expect(end).toBe(before.length);
    expect(Buffer.concat(sent).equals(before)).toBe(true);
  });

  it('end with the text that they are of', () => {
    let ended = false;
    const answer = { write: (piece: string) => piece, end: () => '', held: '' };
    const relay = new TextFrameRelay(() => (ended ? undefined : answer), toFrame);
    relay.learn(frame('Hi'));
    ended = true;
    relay.learn(frame('Hi'));

    expect(relay.relay(frame('Hi')).end).toBe(0);
  });

  it.each([
    ['a role', frame('x', {}, { delta: { role: 'assistant', content: 'x' } })],
    ['log probabilities', frame('x', {}, { logprobs: { content: [] } })],
    ['a member of its own', frame('x', { citations: ['y'] })],
    [
      'lists as deep as a stack',
      Buffer.from(
        frame('x')
          .toString()
          .replace('{', `{"usage":${nestedLists(100_000)},`),
      ),
    ],
    ['a text where a number belongs', frame('x', { created: 'y' })],
    ['a word that is none', frame('x', { service_tier: 'a y' })],
    ['a text beside the choice', frame('x', { choices: [{ index: 0, delta: { content: 'x' } }, 'y'] })],
    [
      'lines of which clients read the first alone',
      Buffer.from(frame('x').toString().replace(',"model"', ',\n"model"')),
    ],
    [
      'two choices',
      frame('x', {
        choices: [
          { index: 0, delta: { content: 'x' } },
          { index: 1, delta: {} },
        ],
      }),
    ],
  ])('are not learnt from one that has more: %s', (_what, other) => {
    const relay = newRelay(unchanged());
    relay.learn(other);

    expect(relay.relay(other).end).toBe(0);
  });
});

function newRelay(answer: AnswerText): TextFrameRelay {
  return new TextFrameRelay(
    () => answer,
    (chunk) => toFrame({ ...chunk, model: 'public' }),
  );
}

function frame(content: string, chunk: object = {}, choice: object = {}): Buffer {
  const choices = [{ index: 0, delta: { content }, finish_reason: null, ...choice }];
  return toFrame({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'public', choices, ...chunk });
}

function nestedLists(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function chunksOf(bytes: Buffer): AnyJson[] {
  const frames = bytes.toString().split('\n\n').slice(0, -1);
  return frames.map((text) => JSON.parse(text.slice('data: '.length)));
}

function textOf(bytes: Buffer): string {
  return chunksOf(bytes)
    .map(({ choices }) => choices[0].delta.content)
    .join('');
}

function unchanged(): AnswerText {
  return { write: (piece) => piece, end: () => '', held: '' };
}

/** Puts a mask in the place of a word, and holds back what could become it. */
function secretless(): AnswerText {
  let held = '';
  return {
    get held() {
      return held;
    },
    write: (piece) => {
      const text = held + piece;
      const kept = /(?:s|se|sec|secr|secre)$/.exec(text)?.[0] ?? '';
      held = kept;
      return text.slice(0, text.length - kept.length).replaceAll('secret', '[WORD]');
    },
    end: () => held,
  };
}
