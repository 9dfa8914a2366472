import type { Check, Evidence, Relation } from '../rules/rules.types.js';

const RELATIONS: readonly Relation[] = ['behind', 'beside', 'below', 'sentence', 'row', 'none'];
const LABELS: readonly Evidence['label'][] = ['schema', 'lexicon', 'name', 'partial', 'none'];
const PASSED: readonly Check[] = ['row', 'total', 'sum', 'rate', 'digits', 'order', 'repeated'];
const FAILED: readonly Check[] = ['row', 'total', 'sum', 'rate', 'order'];
const SHAPES = ['text', 'code', 'number', 'date', 'boolean', 'option'] as const;

/** More rivals say no more. */
const MOST_RIVALS = 7;

/** The names of what the confidence is reckoned from, in the order of `toFeatures`. */
export const FEATURES: readonly string[] = [
  ...RELATIONS.map((relation) => `relation ${relation}`),
  ...LABELS.map((label) => `label ${label}`),
  'label quality',
  'rivals',
  'margin',
  'recognized',
  'recognition doubt',
  'ambiguous',
  ...PASSED.map((check) => `passed ${check}`),
  ...FAILED.map((check) => `failed ${check}`),
  ...SHAPES.map((shape) => `shape ${shape}`),
];

/** Evidence as numbers between 0 and 1. */
export function toFeatures(evidence: Evidence): number[] {
  const { relation, label, labelQuality, rivals, margin, recognition, passed, failed, isAmbiguous, shape } = evidence;
  const is = (holds: boolean) => (holds ? 1 : 0);
  return [
    ...RELATIONS.map((one) => is(one === relation)),
    ...LABELS.map((one) => is(one === label)),
    labelQuality,
    Math.log2(1 + Math.min(MOST_RIVALS, rivals)) / 3,
    margin,
    is(recognition !== undefined),
    // The doubt, not the sureness: programs tell 0.96 of nearly every word, and what counts is how far below it is.
    recognition === undefined ? 0 : Math.sqrt(1 - Math.min(1, Math.max(0, recognition))),
    is(isAmbiguous),
    ...PASSED.map((check) => is(passed.includes(check))),
    ...FAILED.map((check) => is(failed.includes(check))),
    ...SHAPES.map((one) => is(one === shape)),
  ];
}
