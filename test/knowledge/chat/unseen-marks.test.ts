import { describe, expect, it } from '@jest/globals';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { CitationVerifier } from '../../../src/knowledge/chat/citation-verifier.js';
import { CitedText } from '../../../src/knowledge/chat/cited-text.js';

const LIE = 'The boss stole a million euros';
const LUNCH = 'Guests pay 7.20 euros for lunch.';
const HOLIDAYS = 'Every employee has thirty days of holidays a year. Ask your team leader weeks before.';
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
      // Other brackets, and their character references.
      ['⁅1⁆', '〖1〗', '﹝1﹞', '❲1❳', '﹇1﹈', '⦋1⦌', '&lobrk;1&robrk;', '&#X5B;1&#x5d;', '&lbrack;1]', '&#91 1&#93 '],
      [`&#${'0'.repeat(60)}91;1]`, '&#91;1! &#93;'],
      // What is left when another one is taken out.
      ['[s[9]ee 1]', '[sourc[9]e 1]', '[s[s[9]ee 9]ee 1]', '&#9[9]1;1]', '&lbr[9]ack;1]', '[<[9]!-- x -->1]'],
    ].flat(),
  )('is taken out where it is not true, wherever the text is cut: %j', async (mark) => {
    const text = `${LIE} ${mark}.`;

    const whole = await cite(text);
    const units = await cite(...text);

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
    const whole = await cite(text);
    const units = await cite(...text);

    for (const { written } of [whole, units]) expect(written).not.toMatch(/\[[^<]*1|\[<a title="\]+">1/);
    expect(whole.citations).toEqual([]);
  });

  it('is that of its own sentence where its brackets are character references', async () => {
    const { written } = await cite(`${LIE}. &#91;1&#93; ${LUNCH}`);

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
    const whole = await cite(text);
    const units = await cite(...text);

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
    const { written } = await cite(text);

    expect(written).toBe(text.replace('[1]', ''));
  });

  it.each([
    ['a comment', `The boss is a thief <!-- ${PADDING} --> [2].`],
    ['a comment that began before', `<!-- So. ${PADDING} --> The boss is a thief [2].`],
    ['the title of a link', `The boss is a thief[](/x "${PADDING}") [2].`],
    ['a picture', `The boss is a thief ![](/x "${PADDING}") [2].`],
    ['what a picture is called', `The boss is a thief ![${PADDING}](/x) [2].`],
    ['where links go', `[x]: /y (${PADDING})\nThe boss is a thief [2].`],
  ])('is not made true by what a reader does not see: %s', async (_what, text) => {
    const { written, citations } = await cite(text);

    expect(written).not.toContain('[2]');
    expect(citations).toEqual([]);
  });

  it.each([
    'Guests pay <b>7.20 euros</b> for lunch [1].',
    'Guests pay [7.20 euros](/prices "Prices") for lunch [1].',
    'अतिथि भोजन के लिए 7.20 यूरो देते हैं [3].',
    'Add [see the appendix] and [sic], [x] or [ ] 12\n- [ ] 13.',
    'AT&T and &amp; &lt;b&gt; &#65; stay.',
  ])('is all that is looked at: %s', async (text) => {
    expect((await cite(text)).written).toBe(text);
    expect((await cite(...text)).written).toBe(text);
  });
});

async function cite(...pieces: string[]) {
  const passage = { fileId: 'file_1', filename: 'a.pdf', page: 3, headings: [], language: null };
  const hindi = 'अतिथि भोजन के लिए 7.20 यूरो देते हैं।';
  const passages = [LUNCH, HOLIDAYS, hindi].map((text, index) => ({ ...passage, chunkId: `chk_${index}`, text }));
  const cooperation = new CooperativeYield();
  const verifier = new CitationVerifier(passages, cooperation);
  const text = new CitedText(verifier, cooperation, true);
  let written = '';
  for (const piece of pieces) written += await text.write(piece);
  written += await text.end();
  return { written, citations: verifier.citations };
}
