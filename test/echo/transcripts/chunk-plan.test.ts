import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GAP_SECONDS, planChunks } from '../../../src/echo/transcripts/chunk-plan.js';
import { SpanTable } from '../../../src/echo/transcripts/span-table.js';
import { cpuGrowth, IN_PROPORTION } from '../../support/probes/cpu-growth.js';

const LIMITS = { maxSeconds: 30, maxBytes: 25_000_000 };

describe('chunks of a recording', () => {
  it('leaves long silence out, and cuts at the longest pause', () => {
    const spans = [span(2, 12), span(12.5, 20), span(23, 28), span(28.2, 40)];

    const chunks = planChunks(spans, 60, LIMITS);

    expect(chunks.map(({ spans: own }) => own)).toEqual([spans.slice(0, 2), spans.slice(2)]);
    expect(chunks[0]?.pieces).toEqual([{ start: 1.75, end: 20.25, at: 0 }]);
    expect(chunks[1]?.pieces).toEqual([{ start: 22.75, end: 40.25, at: 0 }]);
  });

  it('puts silence of the same length between what stood far apart', () => {
    const [chunk] = planChunks([span(10, 12), span(100, 103)], 200, LIMITS);

    expect(chunk?.pieces).toEqual([
      { start: 9.75, end: 12.25, at: 0 },
      { start: 99.75, end: 103.25, at: 2.5 + GAP_SECONDS },
    ]);
    expect(chunk?.seconds).toBeCloseTo(6.3, 5);
  });

  it('has no chunk where nobody speaks', () => {
    expect(planChunks([], 600, LIMITS)).toEqual([]);
  });

  it('takes time in proportion to the number of spans', async () => {
    let count = 0;

    const growth = await cpuGrowth(
      240_000,
      (length) =>
        Array.from({ length }, (_, index) => span((index * 3_600) / length, (index * 3_600 + 2_400) / length)),
      (spans) => (count = planChunks(spans, 7_200, { ...LIMITS, maxSeconds: 300 }).length),
    );

    expect(count).toBeGreaterThan(11);
    expect(growth).toBeLessThan(IN_PROPORTION);
  });

  it('has all speech once, in order, within the limits, whatever the spans are', () => {
    const spans = fc
      .array(fc.tuple(fc.double({ min: 0.05, max: 45, noNaN: true }), fc.double({ min: 0.1, max: 40, noNaN: true })), {
        maxLength: 60,
      })
      .map((parts) => {
        let time = 0;
        return parts.map(([pause, length]) => {
          const start = time + pause;
          time = start + length;
          return { start, end: time };
        });
      });

    fc.assert(
      fc.property(spans, fc.integer({ min: 5, max: 400 }), (speech, maxSeconds) => {
        const durationSeconds = (speech.at(-1)?.end ?? 0) + 1;
        const chunks = planChunks(speech, durationSeconds, { maxSeconds, maxBytes: 1e9 });
        const told = chunks.flatMap(({ spans: own }) => own);
        const seconds = (all: readonly { start: number; end: number }[]) =>
          all.reduce((sum, { start, end }) => sum + end - start, 0);

        expect(seconds(told)).toBeCloseTo(seconds(speech), 6);
        expect(told.every(({ start }, index) => index === 0 || start >= (told[index - 1]?.end ?? 0) - 1e-9)).toBe(true);
        for (const chunk of chunks) {
          expect(chunk.seconds).toBeLessThanOrEqual(maxSeconds);
          const table = new SpanTable(chunk);
          for (const { start, end } of chunk.spans) {
            const piece = chunk.pieces.find((one) => one.start <= start && end <= one.end);
            const at = (piece?.at ?? 0) - (piece?.start ?? 0);
            const place = table.place({ start: at + start, end: at + end });
            expect(place?.start).toBeCloseTo(start, 6);
            expect(place?.end).toBeCloseTo(end, 6);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

function span(start: number, end: number) {
  return { start, end };
}
