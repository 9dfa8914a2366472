import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ResponseTextTransform } from '../../../src/inference/responses/response-text-transform.js';
import { SecretTransform } from '../../support/builders/secret-transform.js';
import type { AnyJson } from '../../support/probes/any-json.js';

const PLACE = { item_id: 'm', output_index: 0, content_index: 0 };
const END = { type: 'response.completed', response: { status: 'completed', output: [] } };
const WHOLE = { type: 'response.completed', response: { output: [{ text: 'secret' }] } };
const DONE = { type: 'response.output_text.done', ...PLACE, text: 'secret' };
const ITEM_DONE = { type: 'response.output_item.done', output_index: 0, item: { text: 'secret' } };
const ADDED = { type: 'response.content_part.added', ...PLACE };

describe('the texts of a responses stream', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('go on behind an event that repeats the response', async () => {
    const progress = { type: 'response.in_progress', response: { status: 'in_progress', output: [] } };

    const changed = await changedOf([delta('a sec'), progress, delta('ret.'), END]);

    expect(textOf(changed)).toBe('a [WORD].');
  });

  it('are refused behind their end, unless another part begins', async () => {
    const done = { type: 'response.output_text.done', ...PLACE, text: 'a' };
    const added = { type: 'response.output_item.added', output_index: 0, item: { type: 'message' } };

    await expect(changedOf([delta('a sec'), done, delta('ret.')])).rejects.toThrow('had ended');
    await expect(changedOf([delta('a'), done, added, delta('b'), END])).resolves.toHaveLength(5);
  });

  it('may stand under any name, which nothing else inherits', async () => {
    const event = JSON.parse('{"type":"response.foo.delta","delta":{"__proto__":{"polluted":"a sec"}}}');

    await changedOf([event, END]);

    expect(({} as AnyJson).polluted).toBeUndefined();
  });

  it('are told apart by their place, whatever the id of their item', async () => {
    const changed = await changedOf([delta('a sec', { item_id: 'x' }), delta('ret.', { item_id: 'y' }), END]);

    expect(textOf(changed)).toBe('a [WORD].');
  });

  it.each([
    [
      'deltas that are objects',
      (text: string) => ({ ...delta(''), delta: { text } }),
      ({ delta: d }: AnyJson) => d.text,
    ],
    [
      'deltas of a server’s own',
      (text: string) => ({ ...delta(text), type: 'response.mcp_call.arguments_delta' }),
      ({ delta: d }: AnyJson) => d,
    ],
    [
      'events that nobody knows',
      (text: string) => ({ type: 'response.vendor.chunk', text }),
      ({ text }: AnyJson) => text,
    ],
  ])('are joined in other forms: %s', async (_form, eventOf, read) => {
    const changed = await changedOf([eventOf('a sec'), eventOf('ret and s'), END]);

    expect(changed.slice(0, -1).map(read).join('')).toBe('a [WORD] and s');
  });

  it('are read beside the piece of an event, too', async () => {
    const changed = await changedOf([{ ...delta('a'), note: 'secret' }, END]);

    expect(JSON.stringify(changed)).not.toContain('secret');
  });

  it.each([
    ['of a sound', { type: 'response.audio.delta', delta: 'secret 1' }],
    ['beside a sound', { type: 'response.audio.delta', delta: 'UklGRg==', note: 'secret' }],
  ])('are read %s, too', async (_where, event) => {
    const changed = await changedOf([event, END]);

    expect(JSON.stringify(changed)).toContain('[WORD]');
    expect(JSON.stringify(changed)).not.toContain('secret');
  });

  it.each([
    ['pieces that are told again', [delta('secret'), DONE, ITEM_DONE, WHOLE], [true, true, true]],
    ['pieces that are told again at the end alone', [delta('secret'), WHOLE], [true]],
    ['an item that no piece has told', [ITEM_DONE], [false]],
    ['a response that no piece has told', [WHOLE], [false]],
    ['another part in the same place', [delta('secret'), DONE, ADDED, DONE], [true, false]],
    [
      'a response as it began',
      [
        { ...WHOLE, type: 'response.created' },
        { ...WHOLE, type: 'response.in_progress' },
      ],
      [false, true],
    ],
  ])('are known as repeats, or as new: %s', async (_what, events, expected) => {
    const begin = jest.spyOn(SecretTransform.prototype, 'beginAnswer');

    await changedOf(events);

    const pieces = events.filter((event) => 'delta' in event).map(() => false);
    expect(begin.mock.calls.map(([, isRepeat]) => isRepeat ?? false)).toEqual([...pieces, ...expected]);
  });

  it('are refused where more are open at a time than any answer has', async () => {
    const events = Array.from({ length: 257 }, (_, index) => delta('a', { output_index: index }));

    await expect(changedOf(events)).rejects.toThrow('too many texts');
  });

  it('are refused where what tells them apart is too long', async () => {
    await expect(changedOf([delta('a', { content_index: 'x'.repeat(5_000) })])).rejects.toThrow('too long');
  });

  it('go on in an event without the long members of the one before', async () => {
    const done = { type: 'response.output_text.done', ...PLACE, text: 'a sec' };

    const changed = await changedOf([delta('a sec', { model: 'x'.repeat(2_000), item_id: 'msg_1' }), done]);

    expect(changed[1]).toMatchObject({ type: 'response.output_text.delta', delta: 'sec', item_id: 'msg_1' });
    expect(changed[1]).not.toHaveProperty('model');
  });
});

function delta(text: string, members: object = {}): object {
  return { type: 'response.output_text.delta', ...PLACE, delta: text, ...members };
}

async function changedOf(events: readonly object[]): Promise<AnyJson[]> {
  const transform = new ResponseTextTransform(new SecretTransform());
  const changed: AnyJson[] = [];
  for (const event of events) changed.push(...(await transform.transform(structuredClone(event) as AnyJson)));
  return changed;
}

function textOf(events: readonly AnyJson[]): string {
  return events
    .filter(({ type }) => type.endsWith('delta'))
    .map((event) => event.delta)
    .join('');
}
