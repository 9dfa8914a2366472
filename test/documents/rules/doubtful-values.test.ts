import { describe, expect, it } from '@jest/globals';
import { extractByRules } from '../../../src/documents/rules/extract-by-rules.js';
import { toSchema } from '../../proof/document-extraction/set/schema-builder.js';
import { layoutsOf } from '../../support/builders/documents/layouts.js';

describe('values that what stands beside them may change', () => {
  it.each([
    ['Total: 5.00 EUR', 5, false],
    ['Total: -$5.00', -5, false],
    ['Total: (5.00)', -5, false],
    ['Total: 5.00 EUR-', -5, false],
    ['Total: - 5.00', 5, true],
    ['Total: EUR - 5.00', 5, true],
    ['Total: 5.00 -', 5, true],
    ['Total: 5 million EUR', 5, true],
    ['Total: 5,00 Mrd. EUR', 5, true],
    ['Total: EUR 5.00m', 5, true],
    ['Total: 5.00 TEUR', 5, true],
    ['Total: 5.00 DR', 5, true],
    ['Paid: yes', true, false],
    ['Paid: yes / no', true, true],
    ['State: granted', 'granted', false],
    ['State: not granted', 'granted', true],
    ['Due date: 12 May 2024', '2024-05-12', false],
    ['Due date: 1/2/2024', '2024-02-01', true],
  ])('are doubtful, and no others: %s', async (line, value, isDoubtful) => {
    const pages = await layoutsOf(`Notice of Acme Ltd\n\n${line}\n\nThank you\n`, 'text');

    const found = await extractByRules(toSchema(FIELDS), pages);

    expect(found.map((one) => [one.value, one.evidence.isAmbiguous])).toEqual([[value, isDoubtful]]);
  });
});

const FIELDS = {
  total: { kind: 'number', labels: ['Total'] },
  paid: { kind: 'boolean', labels: ['Paid'] },
  state: { kind: 'string', labels: ['State'], options: ['granted', 'open'] },
  due: { kind: 'date', labels: ['Due date'] },
} as const;
