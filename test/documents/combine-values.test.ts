import { expect, it } from '@jest/globals';
import { combineValues } from '../../src/documents/model/combine-values.js';
import type { FoundValue, ModelValue } from '../../src/documents/model/combine-values.js';
import { finished } from '../support/probes/finished.js';
import { formatPath, parsePath } from '../../src/documents/schema/value-path.js';

it('trusts both more than one, and neither where they differ', () => {
  const [same, other, alone] = combined(
    [byRules('a', 1, 0.8), byRules('b', 1, 0.95), byRules('c', 1, 0.6)],
    [byModel('a', 1), byModel('b', 2)],
  );

  expect(same).toMatchObject({ extractor: 'rules+model', value: 1, reason: null });
  expect(same?.confidence).toBeGreaterThan(0.9);
  expect(other).toMatchObject({ extractor: 'rules', value: 1, confidence: 0.5, reason: 'extractors_differ' });
  expect(alone).toMatchObject({ extractor: 'rules', confidence: 0.6 });
});

it('knows rows by what they share, and puts others behind', () => {
  const rows = combined(
    [byRules('rows[0].name', 'Screws', 0.9), byRules('rows[1].name', 'Nails', 0.9), byRules('rows[1].price', 2, 0.9)],
    [byModel('rows[0].name', 'Nails'), byModel('rows[0].unit', 'kg'), byModel('rows[1].name', 'Glue')],
  );

  expect(Object.fromEntries(rows.map(({ path, value }) => [formatPath(path), value]))).toEqual({
    'rows[0].name': 'Screws',
    'rows[1].name': 'Nails',
    'rows[1].price': 2,
    'rows[1].unit': 'kg',
    'rows[2].name': 'Glue',
  });
});

it('leaves no row empty, whatever numbers a model gives them', () => {
  const rows = combined(
    [byRules('rows[0].parts[0]', 'Screws', 0.9)],
    ['rows[50].parts[9999]', 'rows[50].parts[70]', 'rows[9].parts[9998]', 'tags[9999]'].map((path) =>
      byModel(path, path),
    ),
  );

  expect(rows.map(({ path }) => formatPath(path)).toSorted()).toEqual([
    'rows[0].parts[0]',
    'rows[1].parts[0]',
    'rows[2].parts[0]',
    'rows[2].parts[1]',
    'tags[0]',
  ]);
});

function byModel(path: string, value: string | number): ModelValue {
  return { path: parsePath(path) ?? [], value, quote: String(value), page: 1, box: undefined, origin: 'text' };
}

function byRules(path: string, value: string | number, confidence: number): FoundValue {
  return { ...byModel(path, value), confidence, extractor: 'rules', reason: null };
}

function combined(byRules: readonly FoundValue[], byModel: readonly ModelValue[]): FoundValue[] {
  return finished(combineValues(byRules, byModel));
}
