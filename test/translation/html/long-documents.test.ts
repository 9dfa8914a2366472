import { describe, expect, it } from '@jest/globals';
import { readHtmlUnits } from '../../../src/translation/html/read-html-units.js';
import { identity, mapTexts } from '../../support/builders/html-texts.js';
import { cpuGrowth, IN_PROPORTION } from '../../support/probes/cpu-growth.js';

describe('a long document', () => {
  it.each([
    ['nested tags', 100_000, (count: number) => '<b>'.repeat(count) + 'a word'],
    ['nested tags with text', 100_000, (count: number) => '<b>a '.repeat(count) + '</b>'.repeat(count)],
    ['nested blocks', 100_000, (count: number) => '<div>'.repeat(count) + 'a word'],
    ['<', 1 << 20, (count: number) => '<'.repeat(count)],
    ['&', 1 << 20, (count: number) => '&'.repeat(count)],
    [
      'attributes',
      200_000,
      (count: number) => `<a ${Array.from({ length: count }, (_, n) => `a${n}`).join(' ')}>a word`,
    ],
    ['line breaks', 200_000, (count: number) => 'a<br>'.repeat(count)],
    ['end tags', 100_000, (count: number) => '<i>a</b>'.repeat(count)],
    ['crossing tags', 80_000, (count: number) => '<b><i>a'.repeat(count) + '</b>'.repeat(count)],
    ['attributes of text', 60_000, (count: number) => '<img alt="a b">c'.repeat(count)],
    ['lists', 30_000, (count: number) => '<ul><li translate=no><p translate=yes>a'.repeat(count)],
    ['comments that do not end', 1 << 18, (count: number) => '<!--'.repeat(count)],
  ])(
    'is read and written in time in proportion to its length: %s',
    async (_, count, htmlOf) => {
      const growth = await cpuGrowth(count, htmlOf, (html) => expect(identity(html) === html).toBe(true));

      expect(growth).toBeLessThan(IN_PROPORTION);
    },
    60_000,
  );

  it.each([
    ['pairs', 'a <b>b</b> '],
    ['nested pairs', 'a <b>b <i>c</i></b> '],
    ['pairs that do not end', '<b>a <i>'],
    ['single marks', 'a<br>'],
    ['elements that are not translated', 'a <code>b <b>c</b></code> '],
    ['comments', 'a<!-- b -->'],
  ])('has units of bounded parts where a block has very many %s, and only its texts are changed', (_what, piece) => {
    const html = `<p>${piece.repeat(20_000)}<p>z`;

    const { units } = readHtmlUnits(html);
    const changed = mapTexts(html, (text) => text.replaceAll('a', 'x'));

    expect(Math.max(...units.map(({ inline }) => inline.length))).toBeLessThanOrEqual(2_000);
    expect(identity(html)).toBe(html);
    expect(changed).toBe(`<p>${piece.replace('a', 'x').repeat(20_000)}<p>z`);
  });

  it('is read as a short one, wherever the parts end in which it is read', () => {
    const page =
      '<p>a &amp; &#228; &notit; \u{1f600}\r\nb <!-- c --><b title="d &lt; e">f</b></p><script>if (a < b) g</script><textarea>h</textarea><i>j';
    const short = readHtmlUnits(page).units.map(({ inline }) => inline);

    for (let cut = 0; cut <= page.length; cut += 1) {
      const before = `<p>${'k'.repeat(16_384 - cut - 3)}`;
      const { units, write } = readHtmlUnits(before + page);
      const edited = units.slice(1).map(({ id, inline }) => {
        const parts = inline.map((part) => (part.kind === 'text' ? { ...part, text: part.text.toUpperCase() } : part));
        return [id, parts] as const;
      });

      expect(units.slice(1).map(({ inline }) => inline)).toEqual(short);
      expect(write(new Map())).toBe(before + page);
      expect(write(new Map(edited)).slice(before.length)).toBe(
        readHtmlUnits(page).write(new Map(edited.map(([id, parts]) => [id - 1, parts]))),
      );
    }
  });
});
