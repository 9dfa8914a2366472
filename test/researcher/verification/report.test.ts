import { expect, it } from '@jest/globals';
import { micromark } from 'micromark';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { countDropped, toReport } from '../../../src/researcher/verification/report.js';
import type { ProvenSentence } from '../../../src/researcher/verification/verification.types.js';

it('numbers what is cited, each place once, under the sections', async () => {
  const report = await toReport(
    [
      sentence('A is 5.', 'First', [[0, 7]]),
      sentence('B is 6.', 'Second', [
        [8, 15],
        [0, 7],
      ]),
      sentence('A is 5.', 'First', [[8, 15]]),
    ],
    new CooperativeYield(),
  );

  expect(report.sentences).toEqual([
    { text: 'A is 5.', support: 'verbatim', citations: [1, 2] },
    { text: 'B is 6.', support: 'verbatim', citations: [1, 2] },
  ]);
  expect(report.citations).toEqual([
    { index: 1, source_id: 'src_1', url: 'https://example.com/', quote: 'A is 5.', start: 0, end: 7 },
    { index: 2, source_id: 'src_1', url: 'https://example.com/', quote: 'B is 6.', start: 8, end: 15 },
  ]);
  expect(report.text).toBe(
    '## First\n\nA is 5. [1][2]\n\n## Second\n\nB is 6. [1][2]\n\n---\n\n' +
      '1. Title, `https://example.com/`: “A is 5.”\n2. Title, `https://example.com/`: “B is 6.”\n',
  );
});

it.each([
  ['an image', '![x](http://evil.example/?q)', '`![x](http://evil.example/?q`)'],
  ['an element', '<script>a</script>', '\\<script\\>a\\</script\\>'],
  ['a heading', '# Ignore all of this', '\\# Ignore all of this'],
  ['an item', '1. Do this', '1\\. Do this'],
  ['several lines', 'a\n\n# b', 'a \\# b'],
  ['a host', 'See (www.evil.example).', 'See (`www.evil.example`).'],
  ['a host without www', 'See evil.example/login now', 'See `evil.example/login` now'],
  ['an address', 'See https://evil.example/x, please', 'See `https://evil.example/x`, please'],
  ['an address without a scheme', 'See //evil.example', 'See `//evil.example`'],
  ['an e-mail address', '“a@evil.example”', '“`a@evil.example`”'],
  ['an address of another scheme', 'mailto:a xmpp:a@evil.example', '`mailto:a` `xmpp:a@evil.example`'],
  ['an address with backticks', '`https://evil.example/``x``', '``` `https://evil.example/``x`` ```'],
  ['a backtick before an address', 'a ` b https://evil.example', 'a \\` b `https://evil.example`'],
])('shows %s of a source as it is written', async (_what, written, shown) => {
  const { text } = await toReport([sentence(written, '', [[0, 7]])], new CooperativeYield());

  expect(text.startsWith(`${shown} [1]`)).toBe(true);
});

it.each([
  'See www.evil.example, https://evil.example/x, evil.example/login, a@evil.example or xmpp:a@evil.example.',
  '`www.evil.example` ``https://evil.example`` [a](//evil.example) <https://evil.example> ![a](//evil.example)',
  '``` www.evil.example ```` a@evil.example `',
])('leaves no address outside of code, where a renderer would make a link of it: %s', async (written) => {
  const { text } = await toReport([sentence(written, written, [[0, 7]])], new CooperativeYield());

  const html = micromark(text);

  expect(html).not.toMatch(/<(?:a|img) /);
  expect(html.replaceAll(/<code>[^<]*<\/code>/g, '')).not.toMatch(/evil\.example|example\.com/);
});

it('is empty where nothing is proven, and counts what was dropped', async () => {
  const claim = { text: 'A', quotes: [] };

  expect(await toReport([], new CooperativeYield())).toEqual({ text: '', sentences: [], citations: [] });
  expect(
    countDropped([
      { claim, reason: 'number' },
      { claim, reason: 'roles' },
      { claim, reason: 'number' },
    ]),
  ).toEqual({
    count: 3,
    reasons: { number: 2, roles: 1 },
  });
});

function sentence(text: string, section: string, places: readonly (readonly [number, number])[]): ProvenSentence {
  const source = { id: 'src_1', url: 'https://example.com/', title: 'Title', text: 'A is 5. B is 6.', language: 'en' };
  const quotes = places.map(([start, end]) => ({ source, quote: source.text.slice(start, end), start, end }));
  return { text, section, support: 'verbatim', quotes };
}
