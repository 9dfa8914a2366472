import { date, group, list, number, text } from './fields.js';

/** What letters, forms, reports and receipts have in common. */
export const TEMPLATE = group('A document of any kind.', {
  title: text('Its heading, or its subject.', 'Title', 'Subject', 'Re'),
  document_type: text('What it is, such as letter, receipt or report.', 'Document type', 'Type'),
  reference: text(
    'The number by which it is found again.',
    'Reference',
    'Ref.',
    'Our reference',
    'Case number',
    'File number',
  ),
  date: date('The day on which it was written.', 'Date', 'Dated', 'Issued'),
  sender: text('The company or person that it comes from.', 'From', 'Sender', 'Issued by', 'Author'),
  recipient: text('The company or person that it goes to.', 'To', 'Recipient', 'Addressee', 'Attention'),
  people: list('The people that it names.', text('A name.', 'Name', 'Contact')),
  organizations: list(
    'The companies and other organizations that it names.',
    text('A name.', 'Company', 'Organization'),
  ),
  dates: list(
    'The other days that matter in it.',
    group('A day.', {
      date: date('The day.', 'Date'),
      meaning: text('What happens on it, such as a deadline.', 'Event', 'Deadline'),
    }),
  ),
  amounts: list(
    'The amounts of money in it.',
    group('An amount.', {
      label: text('What it is for, as the document says.', 'Description', 'Item'),
      amount: number('How much.', 'Amount', 'Total', 'Sum'),
      currency: text('Its currency, as ISO 4217 code such as EUR.', 'Currency'),
    }),
  ),
});
