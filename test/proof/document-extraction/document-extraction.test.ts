import { expect, test } from '@jest/globals';
import { confidenceOf } from '../../../src/documents/confidence/confidence.js';
import { extractByRules } from '../../../src/documents/rules/extract-by-rules.js';
import type { Concept } from '../../../src/documents/rules/labels/lexicon.js';
import type { Proposal } from '../../../src/documents/rules/rules.types.js';
import { findOcrPrograms } from '../../../src/platform/extraction/ocr-programs.js';
import { Random } from '../../crash/random.js';
import { onScans } from '../../support/servers/services.js';
import { alignRows } from './measures/align-rows.js';
import { confidenceFigures, fieldFigures } from './measures/figures.js';
import { outcomesOf, overlapOf } from './measures/outcomes.js';
import type { Outcome } from './measures/outcomes.js';
import { makeScan, QUALITIES } from './scans/make-scan.js';
import type { SetDocument } from './set/document.types.js';
import { HELD_OUT_LANGUAGE, labelsOf, lexiconWithoutHeldOut } from './set/label-split.js';
import { makeSet } from './set/make-set.js';
import { readDocument } from './set/read-document.js';
import { isSeen } from './wanted.js';

test('a sample of the set is read as well as the whole, and every quote stands on its page', async () => {
  const lexicon = lexiconWithoutHeldOut();
  const outcomes: Outcome[] = [];
  const unproved: string[] = [];

  for await (const document of makeSet({ invoices: 36, contracts: 16, forms: 10 }, 3)) {
    const pages = await readDocument(document.pdf);
    const proposals = await extractByRules(document.schema, pages, undefined, lexicon);
    outcomes.push(...outcomesOf(document, proposals));
    for (const { path, pageIndex, start, end, quote } of proposals)
      if (pages[pageIndex]!.text.slice(start, end) !== quote) unproved.push(path);
  }

  expect(unproved).toEqual([]);
  expect(fieldFigures(outcomes.filter(isSeen)).f1).toBeGreaterThan(0.97);
  expect(fieldFigures(outcomes.filter((outcome) => !isSeen(outcome))).f1).toBeGreaterThan(0.85);
});

onScans.it(
  'a scan is read too, and each value lies in its box',
  async () => {
    const programs = await findOcrPrograms();
    const { value: document } = await makeSet({ invoices: 1, contracts: 0, forms: 0 }, 4).next();
    const scan = await makeScan(document as SetDocument, QUALITIES[0]!, new Random(4), programs!.pdftoppm as string);

    const pages = await readDocument(scan.pdf, programs);
    const outcomes = outcomesOf(scan, await extractByRules(scan.schema, pages));

    expect(pages[0]!.origin).toBe('ocr');
    expect(fieldFigures(outcomes).f1).toBeGreaterThan(0.8);
    for (const { overlap = 1 } of outcomes.filter(({ isRight }) => isRight)) expect(overlap).toBeGreaterThan(0.1);
    for (const { proposal } of outcomes) if (proposal) expect(confidenceOf(proposal.evidence)).toBeLessThan(1);
  },
  60_000,
);

test('the same seed writes the same documents', async () => {
  const idsAndTruths = async () => {
    const all: unknown[] = [];
    for await (const { id, truth } of makeSet({ invoices: 3, contracts: 2, forms: 2 }, 9)) all.push([id, [...truth]]);
    return all;
  };

  expect(await idsAndTruths()).toEqual(await idsAndTruths());
});

test('labels that are held out are not among the words of the rules', () => {
  const lexicon = lexiconWithoutHeldOut();

  for (const [concept, { labels }] of Object.entries(lexicon)) {
    expect(labels[HELD_OUT_LANGUAGE]).toEqual([]);
    for (const language of ['en', 'de', 'fr'] as const) {
      const hidden = labelsOf(concept as Concept, language, true);
      const seen = labelsOf(concept as Concept, language, false);
      if (hidden.some((label) => seen.includes(label))) continue;
      for (const label of hidden) expect(labels[language]).not.toContain(label);
    }
  }
});

test('a row that was not found makes no other row wrong, and one that is none is wrong itself', () => {
  const isSame = (value: unknown, truth: unknown) => value === truth;
  const truth = new Map(['a', 'b', 'c', 'd'].map((value, row) => [`rows[${row}].name`, { value }]));
  const found = ['a', 'c', 'x', 'd'].map((value, row) => ({ path: `rows[${row}].name`, value }) as Proposal);

  const paths = alignRows(found, truth, isSame).map(({ path, value }) => `${path} ${value}`);

  expect(paths).toEqual(['rows[0].name a', 'rows[2].name c', 'rows[4].name x', 'rows[3].name d']);
});

test('figures are those of their definitions', () => {
  const judged = [0.95, 0.95, 0.55, 0.15].map((confidence, index) => ({ confidence, isRight: index !== 1 }));

  const { error, share, precision } = confidenceFigures(judged);

  expect(error).toBeCloseTo((0.9 + 0.45 + 0.85) / 4, 10);
  expect([share, precision]).toEqual([0.5, 0.5]);
  expect(overlapOf([0, 0, 1, 1], [0, 0, 0.5, 1])).toBeCloseTo(0.5, 10);
});
