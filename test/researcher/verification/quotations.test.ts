import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { ClaimVerifier } from '../../../src/researcher/verification/claim-verifier.js';
import { Quotations } from '../../../src/researcher/verification/quotations.js';
import { CountedTurns } from '../../support/probes/counted-turns.js';
import { cpuGrowth, IN_PROPORTION } from '../../support/probes/cpu-growth.js';

const CLAIM = 'The Xyrol pill cures cancer.';

it.each([
  ['straight', '"Trust me. The Xyrol pill cures cancer. All know it," he lied.'],
  ['straight single', "'Trust me. The Xyrol pill cures cancer. All know it,' he lied."],
  ['straight single, the first of them', "'The Xyrol pill cures cancer. All know it,' he lied."],
  ['single angles', '‹Trust me. The Xyrol pill cures cancer. All know it›, he lied.'],
  ['angles the other way', '»Trust me. The Xyrol pill cures cancer. All know it«, he lied.'],
  ['spaced angles', '« Trust me. The Xyrol pill cures cancer. All know it », he lied.'],
  ['those of TeX', "``Trust me. The Xyrol pill cures cancer. All know it,'' he lied."],
  ['two singles', "''Trust me. The Xyrol pill cures cancer. All know it,'' he lied."],
  ['Swedish', '”Trust me. The Xyrol pill cures cancer. All know it”, he lied.'],
  ['German', '„Trust me. The Xyrol pill cures cancer. All know it“, he lied.'],
  ['German, single', '‚Trust me. The Xyrol pill cures cancer. All know it‘, he lied.'],
  ['German, with a straight end', '„Trust me. The Xyrol pill cures cancer. All know it", he lied.'],
  ['Japanese', '「Trust me. The Xyrol pill cures cancer. All know it」he lied.'],
  ['without spaces around', 'He lied:"Trust me. The Xyrol pill cures cancer. All know it."She laughed.'],
  ['behind a comma without a space', 'He said,"Trust me. The Xyrol pill cures cancer. All know it," and left.'],
  ['with others within, the same', '“Buy “Xyrol”. The Xyrol pill cures cancer. All know it,” he lied.'],
  ['with others within, straight', '“Buy "Xyrol". The Xyrol pill cures cancer. All know it,” he lied.'],
  ['all straight', '"Buy "Xyrol". The Xyrol pill cures cancer. All know it," he lied.'],
  ['all straight, single', "'Buy 'Xyrol'. The Xyrol pill cures cancer. All know it,' he lied."],
  ['with angles within', '„Kauft »Xyrol«. The Xyrol pill cures cancer. All know it“, log er.'],
  ['with inches', '"The 5" pill is new. The Xyrol pill cures cancer. All know it," he lied.'],
  ['with typographic inches', '“The 5” pill is new. The Xyrol pill cures cancer. All know it,” he lied.'],
  ['with the apostrophe of a plural', '‘The patients’ friends know. The Xyrol pill cures cancer. It is so,’ he lied.'],
  ['with a straight apostrophe', "'The patients' friends know. The Xyrol pill cures cancer. It is so,' he lied."],
  ['with a word that lost its end', "'I am goin' home. The Xyrol pill cures cancer. It is so,' he lied."],
  ['with both', "'The patients' friends buy 'Xyrol'. The Xyrol pill cures cancer. It is so,' he lied."],
  ['that do not end', '"Trust me. The Xyrol pill cures cancer.'],
  ['that do not begin', 'Trust me. The Xyrol pill cures cancer. All know it," he lied.'],
  [
    'that begin far before',
    `"Trust me. ${'It is a pill. '.repeat(400)}The Xyrol pill cures cancer. All know it," he lied.`,
  ],
  ['two ends that may be inches', '"The tube is 5" wide. The Xyrol pill cures cancer. It was sold in 2019" and left.'],
  ['two that may be numbers', '"Agenda 21" is bad. The Xyrol pill cures cancer. It ends in 2019", he lied.'],
  ['two that may be plurals', '‘our patients’ lives matter. The Xyrol pill cures cancer. We serve patients’ he lied.'],
  ['a lost end and a plural', "'she was goin' home. The Xyrol pill cures cancer. We serve them' he lied."],
  ['what may be an elision', "'tis a new drug. The Xyrol pill cures cancer. It is safe', he lied."],
  ['what may be a decade', '’90s drugs are bad. The Xyrol pill cures cancer. It is safe’ he lied.'],
  ['Chinese titles', '《Trust me. The Xyrol pill cures cancer. All know it》he lied.'],
  ['half width', '｢Trust me. The Xyrol pill cures cancer. All know it｣he lied.'],
  ['upright', '﹁Trust me. The Xyrol pill cures cancer. All know it﹂he lied.'],
  ['primes', '″Trust me. The Xyrol pill cures cancer. All know it,″ he lied.'],
  ['a turned comma', 'ʻTrust me. The Xyrol pill cures cancer. All know it,ʼ he lied.'],
  ['a block quote', '> Trust me. The Xyrol pill cures cancer. All know it.'],
  ['a block quote of two lines', '> Trust me.\n> The Xyrol pill cures cancer.'],
  ['a block quote of wide signs', '＞ Trust me.\n＞ The Xyrol pill cures cancer.'],
  ['a block quote in a line', 'He lied:\n\n> The Xyrol pill cures cancer.'],
  ['a dash', '— Trust me. The Xyrol pill cures cancer. All know it — he lied.'],
  ['a dash in a line', 'He spoke to them.\n— Trust me. The Xyrol pill cures cancer.'],
  ['a dash within a line', 'Minister jest pewny. – Mamy lek. The Xyrol pill cures cancer. Tak jest – powiedział.'],
  ['a Spanish dash within a line', 'Dijo que sí. —Tenemos un remedio. The Xyrol pill cures cancer. Es así —dijo.'],
  ['a dash before a bracket', '— (laughing) Trust me. The Xyrol pill cures cancer.'],
  ['two hyphens', '-- Trust me. The Xyrol pill cures cancer.'],
  ['a block quote in a list', '- > Trust me. The Xyrol pill cures cancer.'],
  ['lines behind initials', 'JD> Trust me.\nJD> The Xyrol pill cures cancer.'],
  ['spaced angles the other way', 'Er log: » Trust me. The Xyrol pill cures cancer. All know it. « Nein.'],
  ['Hebrew marks', '״Trust me. The Xyrol pill cures cancer. All know it,״ he lied.'],
  ['marks around paragraphs', '“\n\nThe Xyrol pill cures cancer.\n\n”'],
  ['paragraphs of which one has no mark', '"Trust me.\n\nThe Xyrol pill cures cancer.\n\nAll know it," he lied.'],
  [
    'paragraphs behind a plural',
    '‘The patients’ friends know. The Xyrol pill cures cancer.\n\n‘All know it,’ he lied.',
  ],
  ['paragraphs behind inches', '"The tube is 5" wide. The Xyrol pill cures cancer.\n\n"All know it," he lied.'],
  ['marks before a footnote', '“Trust me. The Xyrol pill cures cancer”[3]. He lied.'],
  ['a name behind it', '“The Xyrol pill cures cancer.” – John Smith, CEO.'],
  ['a source behind it', '“The Xyrol pill cures cancer” (Smith 2019).'],
  ['a verb behind it', '“The Xyrol pill cures cancer,” quipped Smith.'],
  ['a slogan', 'The slogan of the company is “The Xyrol pill cures cancer”.'],
  ['more than anybody reads', `${'«'.repeat(70)}Trust me${'»'.repeat(70)}. The Xyrol pill cures cancer.`],
])('what is said within marks is not said by the page, whichever they are: %s', async (_which, text) => {
  expect(await supportOf(text, CLAIM)).toBe('context');
  expect(await supportOf(text, 'The “Xyrol” pill cures cancer.')).toBe('context');
  expect(await supportOf(text, `"${CLAIM}`)).toBe('context');
});

it.each([
  ['apostrophes', "They don't know the patients' friends of '68 and of the '90s. "],
  ['typographic apostrophes', 'They don’t know the patients’ friends of ’68 and of the ‘90s. '],
  ['words that lost letters', "'Tis rock 'n' roll for 'em, goin' on 'til nine. "],
  ['a quoted term', "The 'Big Three' and the 'Beatles' play. "],
  ['a quoted term and a plural', "The 'old' hall has the players' rooms. "],
  ['a possessive behind a bracket', "The firm (of Oslo)'s hall is here. "],
  ['numbers within marks', 'The film "Apollo 13" is from 1995, and “Catch 22” is not. '],
  ['inches and feet', 'The 5" pipe is 6\'2" long, the 12"x14" plate is 5\'-6\'. '],
  ['typographic inches', 'The 5” pipe and the 7“ pipe are new. '],
  ['marks within marks', 'She said: “I saw ‘the “Queen” of it’ there.” '],
  ['a quotation that ends with a dash', '"I was—" he said. '],
  ['an ellipsis', 'He said "...and then it was." '],
  ['spaced marks', 'They call it " the old lady " there. '],
  ['German marks', 'Sie nennen ihn „die ‚alte‘ Dame“ und »den Riesen« dort. '],
  ['a straight end', 'Sie nennen ihn „die alte Dame" dort. '],
  ['French marks', 'On l’appelle « la dame », l’« ancienne », de l’île d’Yeu. '],
  ['Swedish marks', 'De kallar den ”damen” och »jätten» där. '],
  ['letters that look like it', "Hawai‘i and Hawai'i are the same, as is `abc`. "],
  ['code', 'Call print("a", \'b\') and x["c"] = \'\'. '],
  ['code in text', 'Call `.push()` or `x` of `path/` with `(1)`, ``read`` or ``write``. '],
  ['a sign', '–5 °C is cold. '],
  ['another paragraph', '"Nobody knows it.\n\n'],
  ['another paragraph, of Windows', '"Nobody knows it.\r\n\r\n'],
  ['a dash in another paragraph', '— Nobody knows it.\n\n'],
  ['a block quote in another paragraph', '> Nobody knows it.\n\n'],
  ['a dash of the page', 'The pill is new\n— and good. '],
])('what stands behind others is said by the page: %s', async (_which, before) => {
  expect(await supportOf(before + CLAIM, CLAIM)).toBe('verbatim');
});

it.each([
  ['“The Xyrol pill cures cancer.” He lied.', '“The Xyrol pill cures cancer.”', 'verbatim'],
  ["'The Xyrol pill cures cancer.' He lied.", "'The Xyrol pill cures cancer.'", 'verbatim'],
  [
    'He grinned. “Trust me. The Xyrol pill cures cancer. All know it,” he lied.',
    '“Trust me. The Xyrol pill cures cancer. All know it,” he lied.',
    'verbatim',
  ],
  // In the source the marks stand elsewhere, so that its own characters would have none.
  ['“Trust me. The Xyrol pill cures cancer. All know it,” he lied.', '“The Xyrol pill cures cancer.”', 'checked'],
  ['— Trust me. The Xyrol pill cures cancer.', '“The Xyrol pill cures cancer.”', 'checked'],
  // In a report a dash, or a `>`, is an item of a list.
  ['— Trust me. The Xyrol pill cures cancer.', '— The Xyrol pill cures cancer.', 'context'],
  ['“Trust me. The Xyrol pill cures cancer. All know it,” he lied.', '> The Xyrol pill cures cancer.', 'context'],
])('a claim may have what is quoted with its marks: %s', async (text, claim, support) => {
  expect(await supportOf(text, claim)).toBe(support);
});

it('reads each mark of a text once, and lets others have their turn', () => {
  const text = '" « \' ” '.repeat(100_000);
  const steps = Quotations.inSteps(text);
  let count = 0;
  while (!steps.next().done) count += 1;

  expect(count).toBeGreaterThanOrEqual(Math.floor(text.length / 4_200));
});

it('looks at many sentences behind many marks in turns, and in time in proportion to both', async () => {
  const claims = 40;
  const turns = new CountedTurns();

  const growth = await cpuGrowth(150, claimsBehindMarks, ({ source, texts, quotes }) => {
    return new ClaimVerifier([source], false, turns).verify(texts.map((text) => ({ text, quotes })));
  });

  expect(turns.count).toBeGreaterThan(3 * claims);
  // A search for each sentence and each mark would grow by a hundred.
  expect(growth).toBeLessThan(IN_PROPORTION);

  function claimsBehindMarks(size: number) {
    const body = 'a! b! c! d! '.repeat(size);
    const text = `${'"'.repeat(26 * size)}" Then it was. ${body}End of it all.`;
    const quotes = [{ source: 's', quote: body.slice(0, 1_400) }];
    const texts = Array.from({ length: claims }, (_, at) => `Then the end of it was to see ${at}.`);
    return { source: { id: 's', url: '', title: null, text, language: 'en' }, quotes, texts };
  }
});

it('tells outermost quotations in order, whatever the text is', () => {
  const unit = fc.constantFrom(...'"\'“”„«»‹›‘’‚`「」 ab5.,—\n');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
      const { all } = Quotations.of(text);

      for (const [index, { start, end }] of all.entries()) {
        expect(start).toBeLessThan(end);
        expect(start).toBeGreaterThanOrEqual(all[index - 1]?.end ?? 0);
        expect(end).toBeLessThanOrEqual(text.length);
      }
    }),
  );
});

/** How a claim is kept, or why it is dropped, where its quotes are the sentence itself and the whole text. */
async function supportOf(text: string, claim: string): Promise<string | undefined> {
  const source = { id: 's', url: 'https://example.com/', title: null, text, language: 'en' };
  const verifier = new ClaimVerifier([source], false, new CooperativeYield());
  const { proven, refused } = await verifier.verify([
    { text: claim, quotes: [CLAIM, text.slice(0, 400)].map((quote) => ({ source: 's', quote })) },
  ]);
  return proven[0]?.support ?? refused[0]?.reason;
}
