import { describe, expect, it } from '@jest/globals';
import { KeyScrubber } from '../../../../src/inference/backends/openai/key-scrubber.js';

const KEY = 'sk-abcabcabd';
const MASK = '*'.repeat(KEY.length);

describe('the scrubber of keys', () => {
  it('masks every place of the key, and leaves the rest as it is', () => {
    const scrubber = new KeyScrubber(KEY);
    const clean = Buffer.from('nothing here: sk-abcabcab');

    expect(scrubber.scrub(Buffer.from(`ü ${KEY}, ${KEY}.`)).toString()).toBe(`ü ${MASK}, ${MASK}.`);
    expect(scrubber.scrub(clean)).toBe(clean);
  });

  it('masks a key that is cut anywhere', async () => {
    const text = `data: sk-abc${KEY} and ${KEY}`;
    for (let cut = 0; cut <= text.length; cut += 1) {
      const read = await through([text.slice(0, cut), text.slice(cut)].filter(Boolean));

      expect(read.join('')).toBe(`data: sk-abc${MASK} and ${MASK}`);
    }
  });

  it('masks a key whose characters are escaped, cut anywhere', async () => {
    const key = 'sk-a/b+c/d';
    const forms = ['sk-a\\/b+c\\/d', 'sk-a/b\\u002Bc/d', '\\u0073k-a\\/b\\u002bc/d'];
    for (const form of forms) {
      for (let cut = 0; cut <= form.length; cut += 1) {
        const read = await through([`"${form.slice(0, cut)}`, `${form.slice(cut)}"`], key);

        expect(JSON.parse(read.join(''))).toBe('*'.repeat(form.length));
      }
    }
    expect(await through(['"sk-a\\nb", "\\u0073k"'], key)).toEqual(['"sk-a\\nb", "\\u0073k"']);
  });

  it('masks several keys, also one that begins as another does, and those with quotes', async () => {
    const scrubber = new KeyScrubber('abcdefgh', 'abcdefgh-more', 'a"b\\c');

    expect(scrubber.scrub(Buffer.from('abcdefgh-more abcdefgh')).toString()).toBe('************* ********');
    expect(scrubber.scrub(Buffer.from(JSON.stringify('a"b\\c'))).toString()).toBe('"*******"');
    expect(scrubber.with('caller-1').scrub(Buffer.from('caller-1abcdefgh')).toString()).toBe('*'.repeat(16));
  });

  it('masks a key that comes byte by byte', async () => {
    expect((await through([...`a${KEY}b`])).join('')).toBe(`a${MASK}b`);
  });

  it('holds back nothing but what may be the beginning of the key', async () => {
    expect(await through(['hello\n\n', 'sk-', 'no\n\n', 'end sk-a'])).toEqual([
      'hello\n\n',
      'sk-no\n\n',
      'end ',
      'sk-a',
    ]);
  });
});

/** Hands out parts, and reads what comes through. */
async function through(parts: string[], key = KEY): Promise<string[]> {
  const waiting = parts.map((part) => Buffer.from(part));
  const source = new KeyScrubber(key).source({
    next: async () => waiting.shift(),
    cancel: () => undefined,
    release: () => undefined,
  });
  const read: string[] = [];
  for (let part = await source.next(); part; part = await source.next()) read.push(part.toString());
  return read;
}
