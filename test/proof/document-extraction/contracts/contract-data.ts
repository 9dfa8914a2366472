import type { Random } from '../../../crash/random.js';
import { digits, makeParty } from '../set/people.js';
import type { Party } from '../set/people.js';
import { toSchema } from '../set/schema-builder.js';
import { addDays, pickDate } from '../set/writing.js';
import type { Country } from '../set/writing.js';

/** What is asked of every contract. */
export const CONTRACT_SCHEMA = toSchema({
  contract_number: 'string',
  parties: { list: 'string' },
  effective_date: 'date',
  end_date: 'date',
  term_months: 'integer',
  notice_period_days: 'integer',
  governing_law: 'string',
  contract_value: 'number',
  currency: 'string',
});

/** What a contract says. */
export interface ContractData {
  readonly country: Country;
  readonly number: string;
  readonly provider: Party;
  readonly client: Party;
  readonly effectiveDate: string;
  /** Undefined: it ends by its term alone. */
  readonly endDate?: string;
  readonly termMonths: number;
  readonly noticeDays: number;
  readonly law: string;
  readonly value: number;
}

const LAWS: Readonly<Record<Country['language'], readonly string[]>> = {
  en: ['England and Wales', 'the State of New York', 'Scotland', 'the State of Delaware'],
  de: ['Deutschland', 'Österreich', 'der Schweiz', 'der Bundesrepublik Deutschland'],
  fr: ['français', 'suisse', 'belge', 'luxembourgeois'],
  es: ['España', 'México', 'Chile', 'Andorra'],
};

/** Makes what a contract says. */
export function makeContract(random: Random, country: Country): ContractData {
  const effectiveDate = pickDate(random);
  const termMonths = random.pick([6, 12, 18, 24, 36, 48, 60]);
  return {
    country,
    number: random.pick([
      `C-${digits(random, 5)}`,
      `V${digits(random, 6)}`,
      `${digits(random, 4)}/${effectiveDate.slice(0, 4)}`,
    ]),
    provider: makeParty(random, country, false),
    client: makeParty(random, country, false),
    effectiveDate,
    ...(random.chance(0.6) ? { endDate: addDays(effectiveDate, Math.round(termMonths * 30.44) - 1) } : {}),
    termMonths,
    noticeDays: random.pick([14, 30, 45, 60, 90]),
    law: random.pick(LAWS[country.language]),
    value: random.between(10, 900) * 250,
  };
}
