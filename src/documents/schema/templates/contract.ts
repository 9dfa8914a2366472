import { date, group, list, number, text } from './fields.js';

/** Contracts, as whoever must keep or end them wants them. */
export const TEMPLATE = group(
  'A contract between two or more parties.',
  {
    title: text('What kind of contract it is, as its heading says.', 'Agreement', 'Contract'),
    contract_number: text('Its number or reference.', 'Contract number', 'Contract no.', 'Agreement no.', 'Reference'),
    parties: list(
      'Whoever concludes it.',
      group('A party.', {
        name: text('The name of the company or person.', 'Party', 'Name'),
        role: text('What it is called in the contract, such as landlord, supplier or employee.', 'hereinafter', 'Role'),
        address: text('Where it has its seat.', 'Address', 'Registered office'),
        registration_number: text('Its number in a register.', 'Company number', 'Registration number', 'Register no.'),
        representative: text('Who acts for it.', 'Represented by', 'Signatory'),
      }),
    ),
    signed_date: date('The day of the last signature.', 'Date', 'Signed on', 'Dated'),
    effective_date: date('The day from which it holds.', 'Effective date', 'Commencement date', 'Start date'),
    end_date: date(
      'The day on which it ends by itself.',
      'End date',
      'Expiry date',
      'Expiration date',
      'Termination date',
    ),
    term: text('How long it runs, in its own words.', 'Term', 'Initial term', 'Duration', 'Fixed term'),
    renewal: text('Whether it goes on when it would end, and for how long.', 'Renewal', 'Renewal term', 'Extension'),
    notice_period: text('How long before its end notice must be given.', 'Notice period', 'Notice', 'Termination'),
    amount: number('What is to be paid: once, or each period.', 'Amount', 'Fee', 'Price', 'Rent', 'Salary'),
    currency: text('The currency of the amount, as ISO 4217 code such as EUR.', 'Currency'),
    payment_period: text(
      'What the amount is paid for, such as a month.',
      'Payment period',
      'Billing period',
      'Payable',
    ),
    payment_terms: text('When a payment is due.', 'Payment terms', 'Payment term', 'Payment due'),
    liability_cap: text(
      'The most that a party is liable for, in its own words.',
      'Limitation of liability',
      'Liability',
    ),
    confidentiality_term: text('How long secrets are to be kept.', 'Confidentiality'),
    governing_law: text('The law that it is under.', 'Governing law', 'Applicable law', 'Law'),
    jurisdiction: text('The courts, or the arbitrator, that decide on it.', 'Jurisdiction', 'Venue', 'Arbitration'),
  },
  ['parties', 'effective_date'],
);
