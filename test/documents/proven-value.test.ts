import { describe, expect, it } from '@jest/globals';
import { provenValue } from '../../src/documents/model/proven-value.js';
import { TargetFinder } from '../../src/documents/model/target-finder.js';
import { parseSchema } from '../../src/documents/schema/schema-parser.js';

describe('a number that a model quotes', () => {
  it.each([
    ['Total: ', '', 500],
    ['EUR ', '.', 500],
    ['(net of tax) ', ' (EUR)', 500],
  ])('is proven by its quote, whatever else stands beside it: %j and %j', (before, behind, claimed) => {
    expect(proven('500.00', claimed, [before, behind])).toBe(500);
  });

  it.each([
    ['(', ')'],
    ['( ', ' )'],
    ['(EUR ', ')'],
    ['', '-'],
    ['', ' -'],
    ['- ', ''],
    ['-', ''],
    ['\u2212', ''],
    ['', ' \u2013'],
  ])('is not where a sign beside the quote may be its own: %j and %j', (before, behind) => {
    expect(proven('500.00', 500, [before, behind])).toBeUndefined();
  });

  it('is the negative one where the sign is its own for sure', () => {
    expect(proven('500.00', -500, ['-', ''])).toBe(-500);
    expect(proven('-500.00', -500, ['Total ', ''])).toBe(-500);
  });

  it('is not part of a longer one', () => {
    expect(proven('500', 500, ['1,', ''])).toBeUndefined();
    expect(proven('500', 500, ['.', ''])).toBeUndefined();
  });
});

function proven(quote: string, claimed: number, beside: readonly [string, string]) {
  const schema = parseSchema({ type: 'object', properties: { total: { type: 'number' } } });
  const target = new TargetFinder(schema).find(['total']);
  if (!target) throw new Error('The field has no target.');
  const conventions = { dateOrder: 'dmy', isDateOrderSure: true, decimal: '.', isDecimalSure: true } as const;
  return provenValue(target, { quote, claimed, beside }, conventions);
}
