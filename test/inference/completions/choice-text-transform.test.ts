import { describe, expect, it, jest } from '@jest/globals';
import { ChoiceTextTransform } from '../../../src/inference/completions/choice-text-transform.js';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { toFrame } from '../../../src/inference/completions/chunk-stream-codec.js';
import { chunk } from '../../support/servers/scripted-backend.js';
import { SecretTransform } from '../../support/builders/secret-transform.js';
import type { AnyJson } from '../../support/probes/any-json.js';

describe('the texts of a chat stream', () => {
  it.each([[''], ['null'], [false], [' ']])('go on where a piece has no reason to end: %j', async (reason) => {
    const changed = await changedOf([piece('a sec', reason), piece('ret.', reason), piece('', 'stop')]);

    expect(contentOf(changed)).toBe('a [WORD].');
  });

  it('end with a reason, and what follows it is refused', async () => {
    await expect(changedOf([piece('a sec', 'stop'), piece('ret.', 'stop')])).rejects.toThrow('had ended');
    await expect(changedOf([piece('a sec'), piece('', 'stop'), piece('', 'stop')])).resolves.toHaveLength(3);
  });

  it.each([
    ['an object', { 0: { delta: { content: 'secret' } } }],
    ['a text', 'secret'],
    ['a text in a list', ['secret']],
    ['a list in a list', [[{ delta: { content: 'secret' } }]]],
    ['content in lists', [{ index: 0, delta: { content: [['secret']] } }]],
    ['a name', [{ index: 0, delta: { content: { secret: 1 } } }]],
    ['an id that is none', [{ index: 0, delta: { id: { text: 'secret' } } }]],
    ['a reason that is no word', [{ index: 0, delta: {}, finish_reason: 'a secret: 1' }]],
  ])('are read in whatever form choices have: %s', async (_form, choices) => {
    const changed = await changedOf([{ choices }]);

    expect(JSON.stringify(changed)).toContain('[WORD]');
    expect(JSON.stringify(changed)).not.toContain('secret');
  });

  it.each([
    ['the content of the chunk itself', (text: string) => ({ content: text }), (chunk: AnyJson) => chunk.content],
    ['a message', (text: string) => ({ message: { content: text } }), (chunk: AnyJson) => chunk.message?.content],
    [
      'nested lists',
      (text: string) => ({ choices: [{ index: 0, delta: { content: [[text]] } }] }),
      (chunk: AnyJson) => chunk.choices[0].delta?.content?.[0]?.[0],
    ],
    [
      'a choice whose index is a text',
      (text: string) => ({ choices: [{ index: '0', delta: { content: text } }] }),
      (chunk: AnyJson) => chunk.choices[0].delta?.content,
    ],
  ])('are joined in forms of other servers: %s', async (_form, chunkOf, textOf) => {
    const changed = await changedOf([chunkOf('a sec'), chunkOf('ret and s')]);

    expect(changed.map((chunk) => textOf(chunk) ?? '').join('')).toBe('a [WORD] and s');
  });

  it.each([
    ['a data URL', ['data:image/png;base64,', 'AAAA', ' x']],
    ['long base64', ['Zm9v'.repeat(40), 'MQ'.repeat(50)]],
  ])('are told of where no rule can read them, in chunks and in frames that are relayed: %s', async (_what, texts) => {
    const [ofChunks, ofFrames] = [new SecretTransform(), new SecretTransform()];
    const inChunks = new ChoiceTextTransform(ofChunks);
    const { textFrames } = new ChoiceTextTransform(ofFrames, { toFrame });
    const frames = texts.map((content) => Buffer.from(chunk({ content })));

    for (const text of texts) await inChunks.transform(piece(text) as AnyJson);
    textFrames?.learn(Buffer.from(chunk({ content: 'x' })));
    const ends = frames.map((frame) => textFrames?.relay(frame).end);

    expect([ofChunks.unreadable, ofFrames.unreadable]).toEqual([1, 1]);
    expect(ends).toEqual(frames.map(({ length }) => length));
  });

  it('stay in the order of the parts that they are of', async () => {
    const part = (value: object) => ({ choices: [{ index: 0, delta: { content: [value] }, finish_reason: null }] });
    const thinking = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] });

    const changed = await changedOf([
      part(thinking('It is')),
      part({ type: 'text', text: 'Yes' }),
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ]);

    const parts = changed.flatMap(({ choices }) => choices[0].delta.content ?? []);
    expect(parts).toEqual([thinking('It i'), thinking('s'), { type: 'text', text: 'Ye' }, { type: 'text', text: 's' }]);
  });

  it.each([
    ['a text before parts', ['Ye s', [{ type: 'text', text: ' END' }]], ['Ye ', 's', [{ type: 'text', text: ' END' }]]],
    [
      'a text behind parts',
      [[{ type: 'text', text: 'Yes' }], ' END'],
      [[{ type: 'text', text: 'Ye' }], [{ type: 'text', text: 's' }], ' END'],
    ],
    ['a text at the end', ['Ye s'], ['Ye ', 's']],
  ])('stay in the order of a content that changes its form: %s', async (_what, contents, expected) => {
    const changed = await changedOf([...contents.map((content) => piece(content)), piece('', 'stop')]);

    const written = changed.map(({ choices }) => choices[0].delta.content).filter((content) => content !== '');
    expect(written).toEqual(expected);
  });

  it('are none of a frame whose template was learnt before the parts of a content began', async () => {
    const transform = new ChoiceTextTransform(new SecretTransform(), { toFrame });
    const text = Buffer.from(chunk({ content: 'x' }));
    transform.textFrames?.learn(text);

    await transform.transform(piece([{ type: 'text', text: 'Yes' }]) as AnyJson);

    expect(transform.textFrames?.relay(text).end).toBe(0);
  });

  it('may stand under any name, which nothing else inherits', async () => {
    const delta = JSON.parse('{"__proto__":{"polluted":"a sec"},"constructor":"a sec"}');

    const changed = await changedOf([{ choices: [{ index: 0, delta }] }, piece('', 'stop')]);

    expect(({} as AnyJson).polluted).toBeUndefined();
    expect(JSON.stringify(changed[1].choices[0].delta)).toBe(
      '{"content":"","__proto__":{"polluted":"sec"},"constructor":"sec"}',
    );
  });

  it('stay behind the parts of a content that came before: no frame passes before these have ended', async () => {
    const transform = new ChoiceTextTransform(new SecretTransform(), { toFrame });
    const text = Buffer.from(chunk({ content: 'x' }));
    const part = { choices: [{ index: 0, delta: { content: [{ type: 'text', text: 'Yes' }] } }] };

    const isLearntAtOnce = new ChoiceTextTransform(new SecretTransform(), { toFrame }).textFrames?.learn(text);
    await transform.transform(part as AnyJson);

    expect([isLearntAtOnce, transform.textFrames?.learn(text)]).toEqual([true, false]);
  });

  it('keep the index of a choice, and a number that nobody wrote', async () => {
    const chunk = { created: 1_760_000_000, choices: [{ index: '0', delta: { content: 'a' } }] };

    expect(await changedOf([structuredClone(chunk)])).toEqual([chunk]);
  });

  it('have no probabilities of tokens beside them', async () => {
    const changed = await changedOf([{ choices: [], completion_probabilities: [{ token: 'sec' }, { token: 'ret' }] }]);

    expect(changed[0].completion_probabilities).toEqual([]);
  });

  it('are refused where more are open at a time than any answer has', async () => {
    const choices = Array.from({ length: 257 }, (_, index) => ({ index, delta: { content: 'a' } }));

    await expect(changedOf([{ choices }])).rejects.toThrow('too many texts');
  });

  it.each([
    ['of parts of long types', [{ type: 'x'.repeat(50_000), text: 'a' }]],
    ['of many parts', Array.from({ length: 5_000 }, () => ({ type: 'text' }))],
  ])('are refused where contents begin without end: %s', async (_what, content) => {
    const chunks = Array.from({ length: 60 }, (_, index) => ({ choices: [{ index, delta: { content } }] }));

    await expect(changedOf(structuredClone(chunks))).rejects.toThrow('contents of too many parts');
  });

  it.each([
    ['an id', { id: 'x'.repeat(2_000), function: { name: 'f', arguments: '{' } }, 'too long an id'],
    ['a name', { id: 'a', function: { name: 'x'.repeat(2_000), arguments: '{' } }, 'whose name is too long'],
  ])('are refused where a call of a tool has %s that is too long', async (_what, call, message) => {
    const choices = [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } }];

    await expect(changedOf([{ choices }])).rejects.toThrow(message);
  });

  it('are refused where all choices together call too many tools', async () => {
    const calls = Array.from({ length: 900 }, (_, index) => ({ index, function: { name: 'f' } }));
    const chunks = [0, 1, 2].map((index) => ({ choices: [{ index, delta: { tool_calls: structuredClone(calls) } }] }));

    await expect(changedOf(chunks.slice(0, 1))).resolves.toBeDefined();
    await expect(changedOf(chunks)).rejects.toThrow('too many tools');
  });

  it('are refused in a member whose name is too long', async () => {
    const choices = [{ index: 0, delta: { ['x'.repeat(5_000)]: 'a' } }];

    await expect(changedOf([{ choices }])).rejects.toThrow('names are too long');
  });

  it('are changed in slices where they are long, between which others have their turn', async () => {
    const cooperation = new CooperativeYield();
    const turns = jest.spyOn(cooperation, 'yield');
    jest.spyOn(cooperation, 'isDue', 'get').mockReturnValue(true);
    const text = 'a secret '.repeat(20_000);

    const changed = await changedOf([piece(text), piece('', 'stop')], cooperation);

    expect(contentOf(changed)).toBe('a [WORD] '.repeat(20_000));
    expect(turns.mock.calls.length).toBeGreaterThan(10);
  });

  it('are refused where a chunk has more of them than any answer', async () => {
    await expect(changedOf([{ choices: [], sources: Array.from({ length: 20_001 }, () => 'a') }])).rejects.toThrow(
      'too many texts',
    );
  });
});

function piece(content: unknown, reason: unknown = null): object {
  return { choices: [{ index: 0, delta: { content }, finish_reason: reason }] };
}

async function changedOf(chunks: readonly object[], cooperation?: CooperativeYield): Promise<AnyJson[]> {
  const transform = new ChoiceTextTransform(new SecretTransform(), { cooperation });
  const changed: AnyJson[] = [];
  for (const chunk of chunks) changed.push(...(await transform.transform({ ...chunk })));
  return [...changed, ...(await transform.flush())];
}

function contentOf(chunks: readonly AnyJson[]): string {
  return chunks
    .flatMap(({ choices }): AnyJson[] => choices)
    .map(({ delta }) => delta?.content ?? '')
    .join('');
}
