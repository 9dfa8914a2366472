import { expect, test } from '@jest/globals';
import { confidenceOf } from '../../../src/documents/confidence/confidence.js';
import { FEATURES, toFeatures } from '../../../src/documents/confidence/features.js';
import { fitLogistic, predict } from '../../../src/documents/confidence/logistic-regression.js';
import weights from '../../../src/documents/confidence/weights.json' with { type: 'json' };
import type { Evidence } from '../../../src/documents/rules/rules.types.js';
import { Random } from '../../crash/random.js';

const GOOD: Evidence = {
  relation: 'behind',
  label: 'schema',
  labelQuality: 1,
  rivals: 0,
  margin: 1,
  passed: [],
  failed: [],
  isAmbiguous: false,
  shape: 'date',
};

test('every feature has a weight, and there is no other', () => {
  expect(Object.keys(weights.weights)).toEqual(FEATURES);
  expect(toFeatures(GOOD)).toHaveLength(FEATURES.length);
});

test('a value beside its own label is sure, and less so the more speaks against it', () => {
  const worse: Partial<Evidence>[] = [
    { isAmbiguous: true },
    { relation: 'none', label: 'none', labelQuality: 0, rivals: 5, margin: 0.05 },
    { recognition: 0.3 },
  ];

  expect(confidenceOf(GOOD)).toBeGreaterThan(0.9);
  for (const change of worse) expect(confidenceOf({ ...GOOD, ...change })).toBeLessThan(confidenceOf(GOOD));
});

test('a misread amount whose arithmetic fails is below the usual threshold, one that it proves is above', () => {
  const row: Evidence = {
    ...GOOD,
    relation: 'row',
    label: 'lexicon',
    shape: 'number',
    recognition: 0.8,
    passed: ['row'],
  };

  expect(confidenceOf(row)).toBeGreaterThan(0.9);
  expect(confidenceOf({ ...row, passed: [], failed: ['row'] })).toBeLessThan(0.9);
});

test('nothing that speaks against a value makes it surer, and nothing that speaks for it less sure', () => {
  for (const [name, weight] of Object.entries(weights.weights)) {
    if (/^(?:failed|ambiguous|recognition doubt|rivals)/.test(name)) expect(weight).toBeLessThanOrEqual(0);
    if (/^(?:passed|margin|label quality)/.test(name)) expect(weight).toBeGreaterThanOrEqual(0);
  }
});

test('a logistic regression finds the weights that observations were made with', () => {
  const random = new Random(5);
  const [bias, first, second] = [-0.5, 2, -1];
  const observations = Array.from({ length: 20_000 }, () => {
    const features = [random.next(), random.next()];
    const probability = 1 / (1 + Math.exp(-(bias + first * features[0]! + second * features[1]!)));
    return { features, isRight: random.chance(probability) };
  });

  const fitted = fitLogistic(observations, 0.1);

  for (const [index, weight] of [bias, first, second].entries()) expect(fitted[index]).toBeCloseTo(weight, 0);
  expect(predict(fitted, [1, 0])).toBeCloseTo(1 / (1 + Math.exp(-1.5)), 1);
});

test('features that say nothing, or all, leave the weights finite', () => {
  const observations = Array.from({ length: 100 }, (_, index) => ({
    features: [index % 2, 0],
    isRight: index % 2 === 0,
  }));

  const fitted = fitLogistic(observations, 1);

  for (const weight of fitted) expect(Number.isFinite(weight)).toBe(true);
  expect(fitted[2]).toBe(0);
});
