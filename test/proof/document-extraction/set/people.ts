import { isValidIBAN } from 'ibantools';
import { VAT_FORMS } from '../../../../src/documents/rules/parsers/vat-forms.js';
import type { Random } from '../../../crash/random.js';
import type { Language } from './document.types.js';
import type { Country } from './writing.js';

/** A company or person as documents name it. */
export interface Party {
  readonly name: string;
  readonly street: string;
  readonly town: string;
  readonly phone: string;
  readonly vatId: string;
  readonly iban: string;
}

const FIRST: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Harbour',
    'Northfield',
    'Bluestone',
    'Oakridge',
    'Summit',
    'Riverside',
    'Crown',
    'Evergreen',
    'Beacon',
    'Ironwood',
  ],
  de: ['Müller', 'Nordlicht', 'Bergmann', 'Alpen', 'Hansa', 'Schäfer', 'Rheintal', 'Weber', 'Grünwald', 'Köhler'],
  fr: [
    'Moreau',
    'Lumière',
    'Atelier Dubois',
    'Provence',
    'Lefèvre',
    'Bretagne',
    'Horizon',
    'Girard',
    'Étoile',
    'Mistral',
  ],
  es: ['García', 'Levante', 'Sierra', 'Ibérica', 'Muñoz', 'Costa', 'Álvarez', 'Meseta', 'Solana', 'Ortega'],
};
const SECOND: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Supplies',
    'Engineering',
    'Logistics',
    'Design Studio',
    'Electrical Services',
    'Software',
    'Printing',
    'Catering',
  ],
  de: [
    'Maschinenbau',
    'Elektrotechnik',
    'Bürobedarf',
    'Software',
    'Druckerei',
    'Gebäudetechnik',
    'Logistik',
    'Werkzeuge',
  ],
  fr: ['Fournitures', 'Électricité', 'Imprimerie', 'Conseil', 'Logistique', 'Informatique', 'Menuiserie', 'Traiteur'],
  es: ['Suministros', 'Electricidad', 'Imprenta', 'Consultores', 'Logística', 'Informática', 'Maquinaria', 'Diseño'],
};
const FORMS: Readonly<Record<Country['code'], readonly string[]>> = {
  US: ['Inc.', 'LLC', 'Corp.'],
  GB: ['Ltd', 'Limited', 'LLP'],
  DE: ['GmbH', 'GmbH & Co. KG', 'AG', 'KG'],
  AT: ['GmbH', 'AG', 'KG'],
  CH: ['AG', 'GmbH', 'SA', 'Sàrl'],
  FR: ['SARL', 'SAS', 'SA', 'EURL'],
  ES: ['S.L.', 'S.A.', 'S.L.U.'],
};
const PERSONS: Readonly<Record<Language, readonly string[]>> = {
  en: ['Emma Clarke', 'James Whitfield', 'Olivia Barnes', 'Daniel Reed'],
  de: ['Anna Schröder', 'Jürgen Vogel', 'Sabine Krämer', 'Lukas Brandt'],
  fr: ['Camille Rousseau', 'Hélène Mercier', 'Luc Fontaine', 'Pierre Blanchard'],
  es: ['Lucía Fernández', 'Carlos Ruiz', 'Marta Núñez', 'Javier Molina'],
};
const STREETS: Readonly<Record<Language, readonly string[]>> = {
  en: ['High Street', 'Mill Lane', 'Station Road', 'Market Square'],
  de: ['Hauptstraße', 'Bahnhofstraße', 'Lindenweg', 'Am Markt'],
  fr: ['rue de la Gare', 'avenue Victor Hugo', 'rue des Lilas', 'place du Marché'],
  es: ['Calle Mayor', 'Avenida del Puerto', 'Calle de Alcalá', 'Plaza de España'],
};
const TOWNS: Readonly<Record<Country['code'], readonly string[]>> = {
  US: ['Portland, OR 97205', 'Austin, TX 78701', 'Denver, CO 80202'],
  GB: ['Leeds LS1 4AP', 'Bristol BS1 6QF', 'York YO1 7HU'],
  DE: ['20095 Hamburg', '50667 Köln', '80331 München'],
  AT: ['1010 Wien', '8010 Graz', '5020 Salzburg'],
  CH: ['8001 Zürich', '1201 Genève', '3011 Bern'],
  FR: ['75011 Paris', '69002 Lyon', '13001 Marseille'],
  ES: ['28013 Madrid', '08002 Barcelona', '46001 Valencia'],
};
const ACCOUNTS: Readonly<Record<Country['code'], readonly [country: string, digits: number]>> = {
  US: ['DE', 18],
  GB: ['GB', 14],
  DE: ['DE', 18],
  AT: ['AT', 16],
  CH: ['CH', 17],
  FR: ['FR', 23],
  ES: ['ES', 20],
};

/** Makes somebody of a country, each with its own name; some are persons, some companies do not say their form. */
export function makeParty(random: Random, country: Country, mayBePerson: boolean): Party {
  const { code, language } = country;
  const isPerson = mayBePerson && random.chance(0.2);
  const form = random.chance(0.88) ? ` ${random.pick(FORMS[code])}` : '';
  const company = `${random.pick(FIRST[language])} ${random.pick(SECOND[language])}${form}`;
  const number = random.between(1, 180);
  return {
    name: isPerson ? random.pick(PERSONS[language]) : company,
    street:
      language === 'de' || language === 'es'
        ? `${random.pick(STREETS[language])} ${number}`
        : `${number} ${random.pick(STREETS[language])}`,
    town: random.pick(TOWNS[code]),
    phone: `+${random.between(30, 49)} ${random.between(20, 99)} ${random.between(1_000, 9_999)} ${random.between(100, 999)}`,
    vatId: makeVatId(random, code),
    iban: makeIban(random, code),
  };
}

/** Digits, as many as are asked for. */
export function digits(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.between(0, 9)).join('');
}

/** A VAT number whose check digits are right, without separators; '' where the country has none. */
function makeVatId(random: Random, code: Country['code']): string {
  if (code === 'US') return '';
  const prefix = code === 'CH' ? 'CHE' : code;
  const lead = code === 'AT' ? 'U' : code === 'ES' ? 'B' : '';
  const form = VAT_FORMS[prefix]?.find(({ length }) => length <= 11);
  if (!form) throw new Error(`no form of VAT numbers for ${code}`);
  for (;;) {
    const value = `${prefix}${lead}${digits(random, form.length - lead.length)}`;
    if (form.isValid(value)) return value;
  }
}

/** An account number with its check digits, in groups of four. */
function makeIban(random: Random, code: Country['code']): string {
  const [country, length] = ACCOUNTS[code];
  for (;;) {
    const account = (country === 'GB' ? 'NWBK' : '') + digits(random, length);
    const number = [...`${account}${country}00`].map((character) => parseInt(character, 36)).join('');
    const check = String(98n - (BigInt(number) % 97n)).padStart(2, '0');
    const iban = `${country}${check}${account}`;
    if (isValidIBAN(iban)) return iban.replace(/(.{4})(?=.)/g, '$1 ');
  }
}
