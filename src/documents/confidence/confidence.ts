import type { Evidence } from '../rules/rules.types.js';
import { FEATURES, toFeatures } from './features.js';
import { predict } from './logistic-regression.js';
import fitted from './weights.json' with { type: 'json' };

const named: Readonly<Record<string, number>> = fitted.weights;
const weights = [fitted.bias, ...FEATURES.map((name) => named[name] ?? 0)];

/**
 * How likely a value is right by the evidence for it, 0–1: of values with 0.9 nine in ten are. The weights are fitted by
 * `scripts/fit-confidence.ts` to documents whose values are known; how far they hold is measured by the proof
 * document-extraction.
 */
export function confidenceOf(evidence: Evidence): number {
  return predict(weights, toFeatures(evidence));
}
