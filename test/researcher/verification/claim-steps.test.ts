import { afterEach, expect, it, jest } from '@jest/globals';
import { QuotedPassage } from '../../../src/platform/text/quotes/find-quote.js';
import { ClaimVerifier } from '../../../src/researcher/verification/claim-verifier.js';
import { CountedTurns } from '../../support/probes/counted-turns.js';

const QUOTES = 8;

afterEach(() => {
  jest.restoreAllMocks();
});

it.each([
  ['the same address again and again', 'a.bc '.repeat(25), 'words'],
  ['eight different addresses', addresses(8), 'words'],
  ['more different addresses', addresses(9), 'address'],
  ['more than a thousand units of addresses', 'a.bc '.repeat(390), 'too_long'],
])('looks for an address once in a quote, and lets others have their turn between: %s', async (_, text, reason) => {
  // The last quote alone has them.
  const paragraphs = Array.from({ length: QUOTES }, (_, at) => {
    return `Paragraph ${at} says ${'word '.repeat(300)}${at === QUOTES - 1 ? `a.bc ${addresses(9)}` : ''}.`;
  });
  const quotes = paragraphs.map((_, at) => ({ source: 's', quote: `Paragraph ${at} says word` }));
  const source = { id: 's', url: '', title: null, text: paragraphs.join('\n\n'), language: 'en' };
  const turns = new CountedTurns();
  const looked = jest.spyOn(QuotedPassage.prototype, 'find');

  const { refused } = await new ClaimVerifier([source], false, turns).verify([{ text, quotes }]);

  expect(refused.map((one) => one.reason)).toEqual([reason]);
  // Each quote is looked through for the whole claim, and for each address; between all of them is a turn.
  expect(looked.mock.calls.length).toBeLessThanOrEqual(QUOTES + 8 * QUOTES);
  expect(turns.count).toBeGreaterThanOrEqual(looked.mock.calls.length);
});

function addresses(count: number): string {
  return Array.from({ length: count }, (_, at) => `site${'abcdefghi'.charAt(at)}.example`).join(' ');
}
