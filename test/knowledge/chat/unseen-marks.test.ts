import { describe, expect, it } from '@jest/globals';
import { citeText, LUNCH } from '../../support/builders/cited-text.js';

const LIE = 'The boss stole a million euros';
const PADDING = 'Every employee has days of holidays a year ask your team leader weeks before';

describe('a mark that a reader would see', () => {
  it.each(
    [
      // What is within is written as a character reference, cannot be seen, or says how something looks.
      ['[&#x31;]', '[&#49;]', '[1&nbsp;]', '[&ensp;1]', '[&zwnj;1]', '[1&shy;]', '[1&#x200b;]', '[&sup1;]'],
      ['[\u00011]', '[1\u007f]', '[\u00001]', '[1\u0080]', '[1\u0085]', '[1\u2800]', '[\ufff91]', '[\ud8001]'],
      ['[\ue0001]', '[<b>1</b>]', '[<!-- -->1]', '[1<br>]', '[<a title="]">1]', '[<a title=">]">1]'],
      ['[<!-- > lie -->1]', '[[](/x)1]', '[[](/x])1]', '[![foo](x)1]'],
      // Signs.
      ['[1|2]', '[1+2]', '[~1]', '[=1]', '[→1]', '[🔗1]', '[№1]', '[$1$]', '[1️⃣]'],
      // Words.
      ['[1 or 2]', '[1 to 2]', '[cite: 1]', '[Dokument 1]', '[Abschnitt 1]', '[1 bis 3]', '[fuente 1]', '[fonte 1]'],
      ['[bron 1]', '[出典1]', '[参考文献：1]', '[来源 1]', '[véase 1]', '[ve\u0301ase 1]', '[référence 1]', '[1st]'],
      ['[so<b></b>urce 1]', '[so\u00adurce 1]', '[ｓｏｕｒｃｅ １]'],
      ['[snippet 1]', '[paragraph 1]', '[Context 1]', '[File 1]', '[источник 1]', '[문서 1]', '[källa 1]'],
      ['[Passus 1, passus 2]', '[1, handbook.md]', '【1†handbook.md】', '【4:0†annual-report_2024.pdf】'],
      ['[^a]', '[^handbook]', '[^ a note]'],
      // Other brackets, and their character references.
      ['⎡1⎤', '⌈1⌉', '⌜1⌟', '⁅1⁆', '〖1〗', '﹝1﹞', '❲1❳', '﹇1﹈', '⦋1⦌'],
      ['&lobrk;1&robrk;', '&#X5B;1&#x5d;', '&lbrack;1]', '&#91 1&#93 '],
      [`&#${'0'.repeat(60)}91;1]`, '&#91;1! &#93;'],
      // What is left when another one is taken out.
      ['[s[9]ee 1]', '[sourc[9]e 1]', '[s[s[9]ee 9]ee 1]', '&#9[9]1;1]', '&lbr[9]ack;1]', '[<[9]!-- x -->1]'],
    ].flat(),
  )('is taken out where it is not true, wherever the text is cut: %j', async (mark) => {
    const text = `${LIE} ${mark}.`;

    const whole = await citeText(text);
    const units = await citeText(...text);

    expect(whole.written).toMatch(/^The boss stole a million euros *\.$/);
    expect(units).toEqual(whole);
    expect(whole.citations).toEqual([]);
  });

  it.each([
    ['of a mark before the full stop', `${LIE} [s[9]ee. 1] Enjoy!`],
    ['where it is open for long', `${LIE} [${' '.repeat(300)}1].`],
    ['that are filled up', `${LIE} [${'\u00ad'.repeat(300)}1].`],
    ['with a long tag', `${LIE} [<a title="${'lie '.repeat(80)}">1].`],
    ['that stand in each other', `${LIE} ${'['.repeat(20)}1${']'.repeat(20)}.`],
    ['that end in a tag', `${LIE} [<a title="]]]]]]">1].`],
  ])('loses its bracket where nobody can tell what it will be: those %s', async (_which, text) => {
    const whole = await citeText(text);
    const units = await citeText(...text);

    for (const { written } of [whole, units]) expect(written).not.toMatch(/\[[^<]*1|\[<a title="\]+">1/);
    expect(whole.citations).toEqual([]);
  });

  it.each([
    ['with a comment that ends at once', `[<!-->1]`],
    ['with one that ends later', `[<!--->1]`],
    ['with one that ends otherwise', `[<!-- x --!>1]`],
    ['with a comment that ends in another', `[<!-->1<!-- x -->]`],
    ['with a reference', `[[][foo]1]`],
    ['with a reference with a bracket', `[[][a\\]b]1]`],
    ['with a picture by reference', `[![][foo]1]`],
    ['with a reference behind it', `[1[][foo]]`],
    ['with an escaped destination', `[[](/a\\)b)1]`],
    ['with a destination with brackets', `[[](/a(b(c)d))1]`],
    ['with an escaped title', `[[](/x (t\\)u))1]`],
    ['with a tag that swallows another', `[<a title=x</b>1]`],
    ...['script', 'style', 'template', 'title', 'noscript', 'rp'].map((name) => [
      `with an element: ${name}`,
      `[<${name}>foo</${name}>1]`,
    ]),
    ['that are footnotes where they stand', `^[Handbook]`],
  ])('loses its bracket where some reader may see it: those %s', async (_which, mark) => {
    const text = `${LIE} ${mark}.`;

    const whole = await citeText(text);
    const units = await citeText(...text);

    expect(whole.written).toBe(text.replace('[', ''));
    expect(units).toEqual(whole);
  });

  it.each(['「1」', '『第3章』', '｢1｣'])(
    'loses its bracket alone where that is a quotation mark, too: %s',
    async (quoted) => {
      const { written } = await citeText(`${LIE} ${quoted}.`);

      expect(written).toBe(`${LIE} ${quoted.slice(1)}.`);
    },
  );

  it('is that of its own sentence where its brackets are character references', async () => {
    const { written } = await citeText(`${LIE}. &#91;1&#93; ${LUNCH}`);

    expect(written).toBe(`${LIE}. ${LUNCH}`);
  });

  it.each([
    ['a comment', `<!--\n\`\`\`\n-->\n${LIE}[1].`],
    ['HTML', `<div>\n\`\`\`\n</div>\n\n${LIE}[1].`],
    ['a script', `<script>\n\`\`\`\n</script>\n${LIE}[1].`],
    ['a list', `- item\n\n  \`\`\`\n  code\n\n${LIE}[1].`],
    ['a formula', `$$\n\`\`\`\n$$\n${LIE}[1].`],
    ['a block that begins with spaces', `   \`\`\`\nx\n\`\`\`\n${LIE}[1].`],
    ['a block that ends with spaces', `\`\`\`\nx\n   \`\`\`\n${LIE}[1].`],
    ['a block that ends before a carriage return', `\`\`\`\nx\n\`\`\`\r${LIE}[1].\n`],
    ['a block behind a byte order mark', `\ufeff\`\`\`\nx\n\`\`\`\n${LIE}[1].`],
    ['a long line', `\`\`\`${'x'.repeat(600)}\`\n${LIE}[1].`],
  ])('is taken out behind what is no block of code: %s', async (_what, text) => {
    const whole = await citeText(text);
    const units = await citeText(...text);

    expect(whole.written).toMatch(/The boss stole a million euros\.\n?$/);
    expect(units).toEqual(whole);
  });

  it.each([
    `<!-- \` -->${LIE}[1]<!-- \` -->.`,
    `[canteen](/c\`) ${LIE}[1] [menu](/m\`).`,
    `\\\`${LIE}[1]\\\`.`,
    `\`\`${LIE}[1]\`.`,
    `<http://a/\`>${LIE}[1]<http://b/\`>.`,
    `\`${LIE}[1]\`.`,
  ])('is taken out between backticks, which may be no code: %s', async (text) => {
    const { written } = await citeText(text);

    expect(written).toBe(text.replace('[1]', ''));
  });

  it.each([
    ['what a picture is called', `${LIE} ![So. ${LUNCH}](/x) [1].`],
    ['a reference', `${LIE} [][So. ${LUNCH}] [1].`],
    ['a place', `${LIE} [](<So. ${LUNCH}>) [1].`],
    ['a place behind a sentence', `${LIE} [yes.](/x "${LUNCH}") [1].`],
    ['a title', `${LIE} [](/x "So. ${LUNCH} (") [1].`],
    ['the title of a line that says where links go', `${LIE}\n\n[x]: /y "So. ${LUNCH}"\n[1]. Ok`],
    ['such a line with a sentence as its name', `${LIE}\n\n[x. Yes]: /y "So. ${LUNCH}"\n[1]. Ok`],
    ['an attribute', `${LIE} <img alt="So. ${LUNCH}" src=x> [1]. And more.`],
    ['an attribute of many', `${LIE} <span title="So. ${LUNCH} Ok"></span> [1]. And more.`],
    ['a comment', `${LIE} <!-- So. ${LUNCH} --> [1]. And more.`],
    ['a script', `${LIE} <script>So. ${LUNCH}</script> [1]. And more.`],
    ['a script over paragraphs', `${LIE} <script>\n\n${LUNCH}\n\n</script> [1]. And more.`],
    ['an element that is not shown', `${LIE} <div hidden>\n\nSo.\n\n${LUNCH}</div> [1]. And more.`],
  ])('is not made true by a sentence that a reader does not see: %s', async (_what, text) => {
    const whole = await citeText(text);
    const units = await citeText(...text);

    expect(whole.written).not.toContain('[1]');
    expect(units).toEqual(whole);
    expect(whole.citations).toEqual([]);
  });

  it('is looked at again in the next paragraph, where a picture was, and nowhere behind HTML', async () => {
    const { written } = await citeText(`![a [b]](/x) ${LUNCH} [1]\n\n${LUNCH} [1]\n\n<p class="x">${LUNCH} [1]</p>`);

    expect(written).toBe(`![a [b]](/x) ${LUNCH}\n\n${LUNCH} [1]\n\n<p class="x">${LUNCH}</p>`);
  });

  it.each([
    ['a character reference', ['&#9[', '9]1;1].'], /x&#9 1;1\]\.$/],
    ['one with many marks', [`&#9${'[9]'.repeat(500)}[`, '9]1;1].'], /x&#9 1;1\]\.$/],
    ['one with many zeros', [`&#${'0[9]'.repeat(500)}[`, '9]91;1].'], /x&#0+ 0*91;1\]\.$/],
    ['a footnote where it stands', ['^[', 'Handbook].'], /x\^ \[Handbook\]\.$/],
    ['a mark', ['[', '9].'], /x\.$/],
  ])('is not made where a long word is cut: %s', async (_what, [begun, rest], expected) => {
    const { written } = await citeText('x'.repeat(3_900), `${'x'.repeat(300)}${begun}`, rest ?? '');

    expect(written).toMatch(expected);
  });

  it.each([
    ['a comment', `The boss is a thief <!-- ${PADDING} --> [2].`],
    ['a comment that began before', `<!-- So. ${PADDING} --> The boss is a thief [2].`],
    ['the title of a link', `The boss is a thief[](/x "${PADDING}") [2].`],
    ['a picture', `The boss is a thief ![](/x "${PADDING}") [2].`],
    ['what a picture is called', `The boss is a thief ![${PADDING}](/x) [2].`],
    ['where links go', `[x]: /y (${PADDING})\nThe boss is a thief [2].`],
  ])('is not made true by what a reader does not see: %s', async (_what, text) => {
    const { written, citations } = await citeText(text);

    expect(written).not.toContain('[2]');
    expect(citations).toEqual([]);
  });

  it.each([
    'Guests pay <b>7.20 euros</b> for lunch [1].',
    'Guests pay [7.20 euros](/prices "Prices") for lunch [1].',
    '<p>Guests pay <b>7.20 euros</b> for lunch [1].</p>\n\n- Guests pay 7.20 euros [1].<br>\n- Guests pay 7.20 euros [1].',
    'Guests pay 7.20 euros for [lunch](/lunch_(x)) [1].',
    'Guests pay 7.20 euros for lunch ![](/lunch "Lunch") [1].',
    'See <https://a.example/x> and <name>. Guests pay 7.20 euros [1].',
    'Use `<name>` and `x < y`. Guests pay 7.20 euros [1].',
    '| Who | What |\n|---|---|\n| Guests | pay 7.20 euros for lunch [1] |\n| Guests | pay 7.20 euros [1] |\n',
    'Who | What\n---|---\nGuests | pay 7.20 euros for lunch. [1]\n\nGuests pay 7.20 euros for lunch.\n[1] Enjoy!',
    '```text\nGuests pay 7.20 euros for lunch [1].\n```\nGuests pay 7.20 euros for lunch [1].',
    '- Try:\n  ```sh\n  npm ci\n  ```\n- Guests pay 7.20 euros [1].\n\nUse ```npm ci``` first. Guests pay 7.20 euros [1].',
    '**Guests:** pay **7.20&nbsp;euros** for *lunch* [1]. Guests pay ~7.20 euros, not more than ~8.',
    '- 7.20 euros is what guests pay for lunch [1]\n- Lunch - guests pay 7.20 euros [1]\n',
    'The vault is at -18 °C or −18&nbsp;°C [4]. The refund for it is -$5.00 [4].',
    'Windows [10.0 of today], [SARS-CoV-2] and the 「基本プラン」 stay.',
    'In code:\n```\nreplace(/[^a-z]/, list[0])\n```\nIt stays.',
    'अतिथि भोजन के लिए 7.20 यूरो देते हैं [3].',
    'Add [see the appendix] and [sic], [x] or [ ] 12\n- [ ] 13.',
    'AT&T and &amp; &lt;b&gt; &#65; stay.',
  ])('is all that is looked at: %s', async (text) => {
    expect((await citeText(text)).written).toBe(text);
    expect((await citeText(...text)).written).toBe(text);
  });
});
