import { describe, expect, it } from '@jest/globals';
import { provenOf } from '../../support/builders/documents/proven-of.js';

describe('an option that a model quotes', () => {
  it.each([
    'not paid',
    'State: not yet fully paid',
    'nicht paid',
    'The invoice is not\npaid.',
    'n\u2019est pas paid',
    'un-paid',
    'un\u2010paid',
    'non-paid',
    'partly paid',
    'paid late',
    'paid / unpaid',
    'paid: no',
    'paid not',
    '\u2610 paid \u2612 unpaid',
    '[ ] paid [x] unpaid',
    'unpaid \u2612 paid \u2610',
  ])('is not another one, nor denied: %j', async (text) => {
    expect(await provenOf('state', text, 'paid', 'paid')).toBeUndefined();
  });

  it.each(['not paid', 'partly paid', 'paid late', 'unpaid'])(
    'is the longest that stands there: %j',
    async (option) => {
      expect(await provenOf('state', `State: ${option}`, option, option)).toBe(option);
    },
  );

  it.each([
    'State: paid',
    'No. 42 paid',
    'Invoice no 42: paid',
    'It is not open. State: paid',
    'not open, but paid',
    'Open: no  State: paid',
    'Open: no State: paid',
    'not shipped | paid | no',
    'paid - 1/2/2024',
    'paid, not shipped',
    'not shipped\nState: paid',
    '\u2612 paid \u2610 unpaid',
    'unpaid \u2610 paid \u2612',
    '5.00 EUR paid 1/2/2024',
  ])('is taken where it is said: %j', async (text) => {
    expect(await provenOf('state', text, 'paid', 'paid')).toBe('paid');
  });

  it('is no part of another number', async () => {
    expect(await provenOf('size', 'Size: 5', 5, '5')).toBe(5);
    expect(await provenOf('size', 'Size: - 5', 5, '5')).toBeUndefined();
    expect(await provenOf('size', 'Size: 5.5', 5, 'Size: 5.5')).toBeUndefined();
  });
});

describe('yes or no that a model quotes', () => {
  it.each([
    ['yes/no', true, 'yes'],
    ['not yes', true, 'yes'],
    ['Not paid: yes', true, 'yes'],
    ['no yes', true, 'yes'],
    ['[ ] yes [x] no', true, 'yes'],
    ['\u2610 yes \u2612 no', true, 'yes'],
    ['[x] no', true, 'x'],
  ])('is not denied beside it: %j', async (text, claimed, quote) => {
    expect(await provenOf('settled', text, claimed, quote)).toBeUndefined();
  });

  it.each([
    ['Settled: yes', true, 'yes'],
    ['Settled: no', false, 'no'],
    ['Taxable: no Settled: yes', true, 'yes'],
    ['[ ] yes [x] no', false, 'no'],
    ['\u2612 yes \u2610 no', true, '\u2612 yes'],
    ['Net 5.00 and more to come, settled: yes', true, 'yes'],
  ])('is taken where it is said: %j', async (text, claimed, quote) => {
    expect(await provenOf('settled', text, claimed, quote)).toBe(claimed);
  });
});
