import { describe, expect, it } from '@jest/globals';
import { provenOf } from '../../support/builders/documents/proven-of.js';

describe('a date that a model quotes', () => {
  it.each([
    ['3/1/2/2024', '1/2/2024', '2024-02-01'],
    ['3 / 1/2/2024', '1/2/2024', '2024-02-01'],
    ['31-1/2/2024', '1/2/2024', '2024-02-01'],
    ['1/2/2024/5', '1/2/2024', '2024-02-01'],
    ['1/2/20-24', '1/2/20', '2020-02-01'],
    ['1/2/20\u201324', '1/2/20', '2020-02-01'],
    ['1/2/20 24', '1/2/20', '2020-02-01'],
    ['1-May-20-24', '1-May-20', '2020-05-01'],
    ['2024-01-05-06', '2024-01-05', '2024-01-05'],
    ['2024-01-05/06', '2024-01-05', '2024-01-05'],
  ])('is no part of something longer: %j quoted %j', async (text, quote, claimed) => {
    expect(await provenOf('day', text, claimed, quote)).toBeUndefined();
    expect(await provenOf('day', text, claimed, text)).toBeUndefined();
  });

  it.each([
    ['due 1/2/2024.', '1/2/2024', '2024-02-01'],
    ['5.00 EUR - 1/2/2024', '1/2/2024', '2024-02-01'],
    ['5.00 1/2/2024 3', '1/2/2024', '2024-02-01'],
    ['3 | 1/2/20 | 24', '1/2/20', '2020-02-01'],
    ['1/2/20 24.00', '1/2/20', '2020-02-01'],
    ['1/2/24 10:30', '1/2/24', '2024-02-01'],
    ['1/2/2024 - 1/3/2024', '1/2/2024', '2024-02-01'],
    ['1/2/2024 - 1/3/2024', '1/3/2024', '2024-03-01'],
    ['01.02.2024-31.03.2024', '01.02.2024', '2024-02-01'],
    ['01.02.2024-31.03.2024', '31.03.2024', '2024-03-31'],
    ['1.3. - 31.03.2024', '31.03.2024', '2024-03-31'],
    ['2024-02-01/2024-02-29', '2024-02-01', '2024-02-01'],
    ['2024-02-01/2024-02-29', '2024-02-29', '2024-02-29'],
    ['30-31 May 2024', '31 May 2024', '2024-05-31'],
    ['No. 7 - 1 May 2024', '1 May 2024', '2024-05-01'],
    ['Tel. 030-1234 1/2/2024', '1/2/2024', '2024-02-01'],
  ])('is taken beside other numbers, and of a period: %j quoted %j', async (text, quote, claimed) => {
    expect(await provenOf('day', text, claimed, quote)).toBe(claimed);
  });
});

describe('a code or an address that a model quotes', () => {
  it.each([
    ['reference', 'INV-2024-0042', 'INV-2024'],
    ['reference', 'INV-2024-0042', '0042'],
    ['reference', 'A1/B2', 'A1'],
    ['email', 'bills@example.co.uk', 'bills@example.co'],
    ['email', 'the.bills@example.com', 'bills@example.com'],
  ])('is whole: %s %j quoted %j', async (field, text, quote) => {
    expect(await provenOf(field, text, quote, quote)).toBeUndefined();
  });

  it.each([
    ['reference', 'Ref. INV-2024-0042.', 'INV-2024-0042'],
    ['reference', 'No. 4711, due 1/2/2024', '4711'],
    ['reference', '+49 30 1234-56', '30 1234-56'],
    ['email', 'Mail:bills@example.com.', 'bills@example.com'],
  ])('is taken where it ends: %s %j quoted %j', async (field, text, quote) => {
    expect(await provenOf(field, text, quote, quote)).toBe(quote);
    expect(await provenOf(field, text, quote, text)).toBe(quote);
  });
});
