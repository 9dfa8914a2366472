import { toSchema } from '../set/schema-builder.js';

/** What is asked of every invoice. */
export const INVOICE_SCHEMA = toSchema({
  invoice_number: 'string',
  invoice_date: 'date',
  due_date: 'date',
  order_number: 'string',
  customer_number: 'string',
  currency: 'string',
  supplier: { fields: { name: 'string', vat_id: 'string', iban: 'string' } },
  customer: { fields: { name: 'string', vat_id: 'string' } },
  net_amount: 'number',
  tax_rate: 'number',
  tax_amount: 'number',
  total_amount: 'number',
  line_items: { rows: { description: 'string', quantity: 'number', unit_price: 'number', amount: 'number' } },
});
