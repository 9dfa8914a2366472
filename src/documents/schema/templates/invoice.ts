import { date, group, list, number, text } from './fields.js';

/** Whoever sends an invoice, or gets it. */
const party = {
  address: text('Street, postal code, town and country, as they are written.', 'Address'),
  vat_id: text(
    'The VAT identification number, with its country code.',
    'VAT ID',
    'VAT number',
    'VAT reg. no.',
    'VAT no.',
  ),
};

/** Invoices and credit notes, as bookkeeping wants them. */
export const TEMPLATE = group(
  'An invoice or a credit note. Amounts are in its currency; those of a credit note are as they are printed.',
  {
    invoice_number: text('The number that the supplier has given it.', 'Invoice number', 'Invoice no.', 'Invoice #'),
    invoice_date: date('The day of issue.', 'Invoice date', 'Date of issue', 'Date'),
    due_date: date('The day by which it is to be paid.', 'Due date', 'Payment due', 'Pay by'),
    delivery_date: date('The day of the delivery or service.', 'Delivery date', 'Date of supply', 'Service date'),
    purchase_order: text(
      'The number of the order that the customer has given.',
      'Purchase order',
      'PO number',
      'Order number',
      'Your order',
    ),
    customer_number: text(
      'The number of the customer with the supplier.',
      'Customer number',
      'Customer no.',
      'Account no.',
    ),
    currency: text('The currency of the amounts, as ISO 4217 code such as EUR.', 'Currency'),
    supplier: group('Who sends the invoice.', {
      name: text('The name of the company or person.', 'Supplier', 'Seller', 'Vendor', 'From'),
      ...party,
      tax_number: text(
        'The tax number, where there is one beside the VAT ID.',
        'Tax number',
        'Tax ID',
        'Company number',
      ),
    }),
    customer: group('Who is to pay.', {
      name: text('The name of the company or person.', 'Customer', 'Bill to', 'Invoice to', 'Buyer'),
      ...party,
    }),
    iban: text('The bank account that is paid to.', 'IBAN', 'Account'),
    bic: text('The bank of that account.', 'BIC', 'SWIFT'),
    payment_reference: text('What is to be named with the payment.', 'Payment reference', 'Reference'),
    net_amount: number('The sum without tax.', 'Net amount', 'Subtotal', 'Total excl. VAT', 'Total net'),
    tax_rate: number('The rate of tax in percent, where there is only one.', 'VAT rate', 'Tax rate'),
    tax_amount: number('The sum of all tax.', 'VAT', 'Tax', 'VAT amount', 'Total VAT', 'Sales tax'),
    total_amount: number(
      'The sum with tax.',
      'Total',
      'Invoice total',
      'Total amount',
      'Total incl. VAT',
      'Grand total',
    ),
    amount_due: number('What is left to be paid, where it is not the total.', 'Amount due', 'Balance due', 'Total due'),
    line_items: list(
      'What is charged, line by line, without subtotals.',
      group('A line.', {
        article_number: text('The number of the article or service.', 'Article no.', 'Item no.', 'SKU', 'Code'),
        description: text('What is charged.', 'Description', 'Item', 'Product', 'Service'),
        quantity: number('How much of it.', 'Quantity', 'Qty', 'Hours', 'Units'),
        unit: text('What the quantity counts.', 'Unit', 'UoM'),
        unit_price: number(
          'The price of one, without tax unless only that with tax is printed.',
          'Unit price',
          'Price',
          'Rate',
        ),
        tax_rate: number('The rate of tax in percent.', 'VAT %', 'VAT rate', 'Tax'),
        amount: number('The sum of the line.', 'Amount', 'Total', 'Line total', 'Net'),
      }),
    ),
  },
  ['invoice_number', 'invoice_date', 'total_amount'],
);
