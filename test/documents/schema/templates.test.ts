import { describe, expect, it } from '@jest/globals';
import { parseSchema } from '../../../src/documents/schema/schema-parser.js';
import { TEMPLATES } from '../../../src/documents/schema/templates.js';
import { outlineOf } from '../../support/builders/documents/schemas.js';

describe('the templates', () => {
  it.each([
    [
      'invoice',
      ['invoice_number string!', 'invoice_date date!', 'supplier.vat_id string', 'iban string', 'net_amount number'],
      [
        'total_amount number!',
        'line_items[].quantity number',
        'line_items[].unit_price number',
        'line_items[].amount number',
      ],
    ],
    [
      'contract',
      ['parties array!', 'parties[].name string', 'effective_date date!', 'end_date date', 'term string'],
      ['notice_period string', 'governing_law string', 'amount number', 'currency string'],
    ],
    [
      'generic',
      ['title string', 'date date', 'people[] string!', 'reference string'],
      ['amounts[].amount number', 'amounts[].currency string', 'dates[].date date'],
    ],
  ] as const)('have what people look for in: %s', (name, fields, others) => {
    expect(outlineOf(parseSchema(TEMPLATES[name]))).toEqual(expect.arrayContaining([...fields, ...others]));
  });

  it.each(Object.keys(TEMPLATES) as (keyof typeof TEMPLATES)[])('tell of each field what it is: %s', (name) => {
    const { root } = parseSchema(TEMPLATES[name]);
    const all = [...(root.fields ?? [])];
    for (const { fields = [], items } of all) all.push(...fields, ...(items ? [items] : []));

    expect(all.filter(({ description }) => !description)).toEqual([]);
    expect(all.filter(({ kind, labels }) => !['object', 'array'].includes(kind) && labels.length === 0)).toEqual([]);
  });
});
