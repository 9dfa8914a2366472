import { expect, it } from '@jest/globals';
import { claimRoom, fittingInto } from '../../../src/researcher/pipeline/claims-step.js';
import { writeReport } from '../../../src/researcher/pipeline/report-writer.js';
import { CountedTurns } from '../../support/probes/counted-turns.js';

it.each([
  ['many short sentences', 8_000, 40, 500],
  ['long sentences', 2_000, 2_000, 94],
])(
  'keeps a report small whatever a model claims, and says how much is left out: %s',
  async (_what, all, length, kept) => {
    const turns = new CountedTurns();
    const sentences = Array.from({ length: all }, (_, at) => sentenceOf(at, length));

    const report = await writeReport({ ...PARTS, sentences, dropped: { number: 2, too_many_claims: 3 } }, turns);

    expect(report.sentences).toHaveLength(kept);
    expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThan(3 * 1_048_576);
    const left = all - kept + 3;
    expect(report.dropped).toEqual({ count: left + 2, reasons: { number: 2, too_many_claims: left } });
    // Others have their turn between sentences and citations.
    expect(turns.count).toBeGreaterThanOrEqual(report.sentences.length + report.citations.length);
  },
);

it('keeps so many claims of all sources together', () => {
  const room = claimRoom();
  const counts: number[] = [];
  const dropped: number[] = [];
  for (let source = 0; source < 50; source += 1) {
    const sentences = Array.from({ length: 200 }, (_, at) => storedOf(at));
    const proven = fittingInto(room, { sentences, dropped: { number: 1 } });
    room.take(proven.sentences);
    counts.push(proven.sentences.length);
    dropped.push(proven.dropped.too_many_claims ?? 0);
  }

  expect(counts.slice(0, 6)).toEqual([200, 200, 200, 200, 200, 0]);
  expect(counts.reduce((sum, one) => sum + one, 0)).toBe(1_000);
  expect(dropped.reduce((sum, one) => sum + one, 0)).toBe(9_000);
});

const SOURCE = { id: 'src_1', url: 'https://example.com/', title: 'Title', text: '', language: 'en' };
const PARTS = { questions: ['Q?'], claims: [], sources: new Map(), usedUp: undefined };

function sentenceOf(at: number, length: number) {
  const text = `${at} is ${'long '.repeat(length / 5)}.`;
  const quotes = [0, 1, 2, 3].map((part) => ({ source: SOURCE, quote: text, start: 4 * at + part, end: 4 * at + 4 }));
  return { text, section: 'Q?', support: 'verbatim' as const, quotes };
}

function storedOf(at: number) {
  const text = `The bridge ${at} is old.`;
  return {
    text,
    section: 'Q?',
    support: 'verbatim' as const,
    quotes: [{ source_id: 's', quote: text, start: 0, end: 9 }],
  };
}
