import { describe, expect, it } from '@jest/globals';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { CitationVerifier } from '../../../src/knowledge/chat/citation-verifier.js';
import { HiddenText } from '../../../src/knowledge/chat/hidden-text.js';
import { CitedText } from '../../../src/knowledge/chat/cited-text.js';

const LUNCH = 'The canteen serves lunch from noon until two. Guests pay 7.20 euros for lunch.';
const HOLIDAYS = 'Every employee has thirty days of holidays a year.\nAsk your team leader four weeks before.';

describe('marks of an answer', () => {
  it.each([
    ['before the full stop', 'Guests pay 7.20 euros for lunch [1].'],
    ['behind it', 'Guests pay 7.20 euros for lunch. [1] Enjoy!'],
    ['without a space', 'Guests pay 7.20 euros for lunch[1].'],
    ['in the middle', 'According to [1], guests pay 7.20 euros for lunch.'],
    ['in a list', '- Guests pay 7.20 euros for lunch [1]\n- Employees have thirty days of holidays a year [2]\n'],
    [
      'of two things in one sentence',
      'Guests pay 7.20 euros for lunch [1], and employees have thirty days of holidays [2].',
    ],
  ])('stay where their passage says it: %s', async (_where, text) => {
    const { written } = await cite(text);

    expect(written).toBe(text);
  });

  it.each([
    ['another passage', 'Guests pay 7.20 euros for lunch [2].', 'Guests pay 7.20 euros for lunch.'],
    ['another number', 'Guests pay 8.20 euros for lunch [1].', 'Guests pay 8.20 euros for lunch.'],
    ['another name', 'Guests of Siemens pay 7.20 euros for lunch [1].', 'Guests of Siemens pay 7.20 euros for lunch.'],
    ['a denial', 'Guests do not pay 7.20 euros for lunch [1].', 'Guests do not pay 7.20 euros for lunch.'],
    ['no passage', 'Guests pay 7.20 euros for lunch [9].', 'Guests pay 7.20 euros for lunch.'],
    ['passage 0', 'Guests pay 7.20 euros for lunch [0].', 'Guests pay 7.20 euros for lunch.'],
    ['a huge number', 'Guests pay 7.20 euros for lunch [999999999].', 'Guests pay 7.20 euros for lunch.'],
    ['a mark in a mark', 'Guests pay 8 euros [[9]1].', 'Guests pay 8 euros.'],
    ['a mark behind a number in a mark', 'Guests pay 8 euros [1[9]2].', 'Guests pay 8 euros.'],
    ['a mark at a full stop in a mark', 'Guests pay 8 euros.[[9]1] Enjoy!', 'Guests pay 8 euros. Enjoy!'],
    [
      'a number in words',
      'Employees have forty days of holidays a year [2].',
      'Employees have forty days of holidays a year.',
    ],
    ['nothing said', 'Yes. [1] Well. [2]', 'Yes. Well.'],
    ['marks alone', '[1] [2][9]', ''],
    ['a mark at the beginning', '[9] The canteen is closed.', 'The canteen is closed.'],
  ])('are taken out where it does not: %s', async (_what, text, expected) => {
    const { written, citations } = await cite(text);

    expect(written).toBe(expected);
    expect(citations).toEqual([]);
  });

  it.each([
    '【1】',
    '【1†source】',
    '[^1]',
    '[#1]',
    '[ 1 ]',
    '[Passage 1]',
    '［1］',
    '[1, 9]',
    '[1-1]',
    '[1 and 9]',
    '[1, p. 3]',
    '[source: 1]',
    '[**1**]',
    '[①]',
    '[¹]',
    '〔1〕',
    '&#91;1&#93;',
    '[\ufe0f1]',
    '[\u31641]',
    '[\u00ad\u00ad\u00ad\u00ad1]',
    '[     1]',
    '[[9]1]',
    '[1, ]',
    '[1–9]',
    '[１]',
    '[9; 1]',
    '[1][9]',
    '[1] [1]',
  ])('are written alike, whatever a model writes: %s', async (mark) => {
    const { written, citations } = await cite(`Guests pay 7.20 euros for lunch ${mark}.`);

    expect(written).toBe('Guests pay 7.20 euros for lunch [1].');
    expect(citations).toHaveLength(1);
  });

  it('tell what supports them, as it stands there', async () => {
    const { citations } = await cite(
      'For lunch, guests pay 7.20 euros [1]. Employees have thirty days of holidays a year [2]. Guests pay 7.20 euros [1].',
    );

    expect(citations).toEqual([
      { index: 1, file_id: 'file_1', filename: 'a.pdf', page: 3, chunk_id: 'chk_1', quote: LUNCH.slice(46) },
      { index: 2, file_id: 'file_2', filename: 'b.md', page: null, chunk_id: 'chk_2', quote: HOLIDAYS.slice(0, 50) },
    ]);
  });

  it.each([
    ['words', 'Add [see the appendix] and [sic].'],
    ['an open bracket', 'Well [1 and so on.'],
  ])('are none: %s', async (_what, text) => {
    expect((await cite(text)).written).toBe(text);
  });

  it.each([
    [
      'behind code within a line that looks like a fence',
      '```x``` Guests pay 8 euros [1].\nThey lie [1].',
      '```x``` Guests pay 8 euros.\nThey lie.',
    ],
    [
      'behind a fence that is none, in a line',
      'Hello there. ``` Guests pay 8 euros [1].',
      'Hello there. ``` Guests pay 8 euros.',
    ],
    [
      'behind code of another fence',
      '~~~\n[1]\n```\n~~~\nGuests pay 8 euros [1].',
      '~~~\n\n```\n~~~\nGuests pay 8 euros.',
    ],
    ['in code within a line', 'Guests pay 8 euros `[9]` in `list[9]`.', 'Guests pay 8 euros `` in `list`.'],
  ])('are taken out %s', async (_where, text, expected) => {
    expect((await cite(text)).written).toBe(expected);
    expect((await cite(...text)).written).toBe(expected);
  });

  it('are none behind a name in a block of code, and all else there is text', async () => {
    const text = 'Read it so:\n```js\nconst first = list[0][3];\nconst other = list[7]; // [9]\n```\nIt is list[9].';

    const { written } = await cite(text);

    expect(written).toBe(text.replace(' [9]', '').replace('is list[9].', 'is list.'));
  });

  it('are taken out before code, and behind it', async () => {
    const { written } = await cite(
      'Guests pay 9 euros [1]:\n```\nlist[0]\n```\nThey pay 8 euros [1]\n~~~\na[1]\n~~~\n',
    );

    expect(written).toBe('Guests pay 9 euros:\n```\nlist[0]\n```\nThey pay 8 euros\n~~~\na[1]\n~~~\n');
  });

  it('of passages that did not fit into the prompt are taken out', async () => {
    const verifier = newVerifier();
    verifier.keep(1);

    const written = await verifier.verify('Employees have thirty days of holidays a year [2].', new HiddenText());

    expect(written).toBe('Employees have thirty days of holidays a year.');
  });

  it.each([
    ['numbers and invisible characters', `Fee [${'1\u200b\u200b\u200b,'.repeat(3_000)}1 euros.`],
    ['white space', ' '.repeat(300_000)],
    ['line feeds', '\n'.repeat(300_000)],
    ['open brackets', '['.repeat(100_000)],
    ['brackets in brackets', `${'['.repeat(50_000)}1${']'.repeat(50_000)}`],
    ['marks', '[1-8]x '.repeat(20_000)],
    ['white space and marks', `${' '.repeat(3_000)}[9]`.repeat(50)],
  ])('are looked for in time in proportion to the text: %s', async (_what, text) => {
    const { written, citations } = await cite(text);

    expect(written.length).toBeLessThanOrEqual(text.length);
    expect(citations).toEqual([]);
  });

  it('are the same wherever the text is cut', async () => {
    const text =
      'Guests pay 7.20 euros for lunch [1]. Guests pay 8 euros [1]. [2] Noon [9]\n\n- thirty days of holidays a year [2]';
    const { written: whole } = await cite(text);

    const cuts = await Promise.all(
      Array.from({ length: text.length }, (_, at) => cite(text.slice(0, at), text.slice(at))),
    );
    const units = await cite(...text);

    expect(new Set([...cuts, units].map(({ written }) => written))).toEqual(new Set([whole]));
  });
});

function newVerifier(): CitationVerifier {
  const passages = [
    { chunkId: 'chk_1', fileId: 'file_1', filename: 'a.pdf', page: 3, headings: [], text: LUNCH, language: 'en' },
    { chunkId: 'chk_2', fileId: 'file_2', filename: 'b.md', page: null, headings: [], text: HOLIDAYS, language: null },
  ];
  return new CitationVerifier(passages, new CooperativeYield());
}

/** What becomes of a text that is written in pieces. */
async function cite(...pieces: string[]) {
  const verifier = newVerifier();
  const text = new CitedText(verifier, new CooperativeYield(), true);
  let written = '';
  for (const piece of pieces) written += await text.write(piece);
  written += await text.end();
  return { written, citations: verifier.citations };
}
