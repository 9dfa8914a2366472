import type { Outcome } from './outcomes.js';

/** How well fields are found. */
export interface FieldFigures {
  readonly fields: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** The mean overlap of the boxes of right values with their true ones; NaN where no place is known. */
  readonly overlap: number;
}

/** Precision, recall and F1 over all fields. */
export function fieldFigures(outcomes: readonly Outcome[]): FieldFigures {
  const proposed = outcomes.filter(({ proposal }) => proposal !== undefined).length;
  const there = outcomes.filter(({ isThere }) => isThere).length;
  const right = outcomes.filter(({ isRight }) => isRight).length;
  const [precision, recall] = [right / (proposed || 1), right / (there || 1)];
  const overlaps = outcomes.flatMap(({ overlap }) => overlap ?? []);
  return {
    fields: there,
    precision,
    recall,
    f1: (2 * precision * recall) / (precision + recall || 1),
    overlap: overlaps.reduce((sum, overlap) => sum + overlap, 0) / overlaps.length,
  };
}

/** How much confidence means. */
export interface ConfidenceFigures {
  readonly values: number;
  /** Expected calibration error over ten bins of the same width. */
  readonly error: number;
  /** The share of values above the threshold, and how many of these are right. */
  readonly share: number;
  readonly precision: number;
}

const BINS = 10;

/** @param judged the confidence of each value, and whether it is right */
export function confidenceFigures(
  judged: readonly { readonly confidence: number; readonly isRight: boolean }[],
  threshold = 0.9,
): ConfidenceFigures {
  const bins = Array.from({ length: BINS }, () => ({ count: 0, confidence: 0, right: 0 }));
  for (const { confidence, isRight } of judged) {
    const bin = bins[Math.min(BINS - 1, Math.floor(confidence * BINS))] as (typeof bins)[number];
    bin.count += 1;
    bin.confidence += confidence;
    bin.right += Number(isRight);
  }
  const gap = bins.reduce((sum, { confidence, right }) => sum + Math.abs(confidence - right), 0);
  const sure = judged.filter(({ confidence }) => confidence >= threshold);
  return {
    values: judged.length,
    error: gap / (judged.length || 1),
    share: sure.length / (judged.length || 1),
    precision: sure.filter(({ isRight }) => isRight).length / (sure.length || 1),
  };
}
