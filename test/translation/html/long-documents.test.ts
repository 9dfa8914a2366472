import { describe, expect, it } from '@jest/globals';
import { readHtmlUnits } from '../../../src/translation/html/read-html-units.js';
import { identity, mapTexts } from '../../support/builders/html-texts.js';

describe('a long document', () => {
  it.each([
    ['100,000 nested tags', '<b>'.repeat(100_000) + 'a word'],
    ['100,000 nested tags with text', '<b>a '.repeat(100_000) + '</b>'.repeat(100_000)],
    ['100,000 nested blocks', '<div>'.repeat(100_000) + 'a word'],
    ['1 MiB of <', '<'.repeat(1 << 20)],
    ['1 MiB of &', '&'.repeat(1 << 20)],
    ['200,000 attributes', `<a ${Array.from({ length: 200_000 }, (_, index) => `a${index}`).join(' ')}>a word`],
    ['200,000 line breaks', 'a<br>'.repeat(200_000)],
    ['200,000 end tags', '<i>a</b>'.repeat(100_000)],
    ['80,000 crossing tags', '<b><i>a'.repeat(80_000) + '</b>'.repeat(80_000)],
    ['100,000 attributes of text', '<img alt="a b">c'.repeat(60_000)],
    ['100,000 lists', '<ul><li translate=no><p translate=yes>a'.repeat(30_000)],
    ['comments that do not end', '<!--'.repeat(1 << 18)],
  ])(
    'is read and written in proportion to its length: %s',
    (_, html) => {
      const before = process.cpuUsage();

      const written = identity(html);

      const { user, system } = process.cpuUsage(before);
      expect(written === html).toBe(true);
      expect(user + system).toBeLessThan(10_000_000);
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
