import type { PageLayout } from '../../../../src/documents/layout/layout.types.js';
import { provenValue } from '../../../../src/documents/model/proven-value.js';
import { quotedValuesOf } from '../../../../src/documents/model/quoted-value.js';
import { TargetFinder } from '../../../../src/documents/model/target-finder.js';
import { parseSchema } from '../../../../src/documents/schema/schema-parser.js';
import { CooperativeYield } from '../../../../src/platform/async/cooperative-yield.js';

const FIELDS = new TargetFinder(
  parseSchema({
    type: 'object',
    properties: {
      total: { type: 'number' },
      term: { type: 'integer', title: 'Term in months' },
      day: { type: 'string', format: 'date' },
      settled: { type: 'boolean' },
      state: { enum: ['paid', 'unpaid', 'not paid', 'partly paid', 'paid late'] },
      size: { enum: [5, 7] },
      reference: { type: 'string', title: 'Reference' },
      email: { type: 'string', title: 'Email' },
    },
  }),
);
const CONVENTIONS = { dateOrder: 'dmy', isDateOrderSure: true, decimal: '.', isDecimalSure: false } as const;

/** The value that is kept of a model's answer about a page that has a text. @throws Error where the quote is not on it */
export async function provenOf(
  field: string,
  text: string,
  value: string | number | boolean,
  quote: string,
): Promise<unknown> {
  const content = JSON.stringify({ values: [{ field, value, quote, page: 1 }] });
  const page: PageLayout = { number: 1, origin: 'text', text, blocks: [], lines: [], hasBoxes: false };
  const [quoted] = await quotedValuesOf({ choices: [{ message: { content } }] }, [page], new CooperativeYield());
  const target = quoted && FIELDS.find(quoted.path);
  if (!target) throw new Error('The quote is not on the page.');
  return provenValue(target, quoted, CONVENTIONS);
}
