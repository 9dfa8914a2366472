import type { Concept } from '../../../../src/documents/rules/labels/lexicon.js';
import { Random } from '../../../crash/random.js';
import type { SetDocument, TrueValue } from '../set/document.types.js';
import { HELD_OUT_LANGUAGE, pickLabel } from '../set/label-split.js';
import type { Party } from '../set/people.js';
import { PAGE, Sheet } from '../set/sheet.js';
import type { ValuePart } from '../set/sheet.js';
import { COUNTRIES, pickDateStyle, writeDate, writeNumber } from '../set/writing.js';
import type { Country } from '../set/writing.js';
import { CONTRACT_SCHEMA, makeContract } from './contract-data.js';
import type { ContractData } from './contract-data.js';
import { CONTRACT_TEXTS, TIME_WORDS } from './contract-texts.js';

type Written = ValuePart & { readonly text: string };
type Values = Readonly<Record<string, Written | string | undefined>>;

const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
const [LEFT, WIDTH] = [70, PAGE.width - 140];

/** Half of them prose, half of them sheets of facts; of each half the second wording is held out. */
const TEMPLATES = ['prose A', 'sheet A', 'prose B', 'sheet B'] as const;

const FACTS: readonly (readonly [Concept, string])[] = [
  ['contractNumber', 'number'],
  ['supplierName', 'provider'],
  ['customerName', 'client'],
  ['effectiveDate', 'effectiveDate'],
  ['endDate', 'endDate'],
  ['term', 'term'],
  ['noticePeriod', 'notice'],
  ['contractValue', 'value'],
  ['governingLaw', 'law'],
];

/** Writes contracts, one after another. */
export async function* makeContracts(count: number, seed: number): AsyncGenerator<SetDocument> {
  for (let index = 0; index < count; index += 1) {
    const random = new Random(seed * 1_000_003 + 500_000 + index);
    const language = LANGUAGES[index % LANGUAGES.length];
    const template = TEMPLATES[Math.floor(index / LANGUAGES.length) % TEMPLATES.length] as (typeof TEMPLATES)[number];
    const country = random.pick(COUNTRIES.filter((some) => some.language === language)) as Country;
    const data = makeContract(random, country);
    const sheet = new Sheet(random.pick(['Helvetica', 'Times']));
    const values = toValues(random, data);
    const isHeldOut = template.endsWith('B');
    if (template.startsWith('prose'))
      writeProse(sheet, values, CONTRACT_TEXTS[country.language][isHeldOut ? 'B' : 'A']);
    else writeSheet(sheet, values, random, country, isHeldOut);
    const parties = sheet.truth;
    const pdf = await sheet.end();
    yield {
      id: `contract-${index}`,
      kind: 'contract',
      language: country.language,
      layout: template,
      heldOut: [
        ...(isHeldOut ? (['template'] as const) : []),
        ...(country.language === HELD_OUT_LANGUAGE ? (['language'] as const) : []),
      ],
      schema: CONTRACT_SCHEMA,
      pdf,
      truth: parties,
    };
  }
}

function toValues(random: Random, data: ContractData): Values {
  const { country, termMonths, noticeDays, provider, client } = data;
  const style = pickDateStyle(random);
  const words = TIME_WORDS[country.language];
  const written = (path: string, value: TrueValue['value'], text: string): Written => ({ path, value, text });
  const inYears = termMonths % 12 === 0 && termMonths > 12 && random.chance(0.4);
  const address = ({ street, town }: Party) => `${street}, ${town}`;
  return {
    number: written('contract_number', data.number, data.number),
    provider: written('parties[0]', provider.name, provider.name),
    client: written('parties[1]', client.name, client.name),
    providerAddress: address(provider),
    clientAddress: address(client),
    effectiveDate: written('effective_date', data.effectiveDate, writeDate(data.effectiveDate, country, style)),
    endDate:
      data.endDate === undefined
        ? undefined
        : written('end_date', data.endDate, writeDate(data.endDate, country, style)),
    term: written(
      'term_months',
      termMonths,
      inYears ? `${termMonths / 12} ${words.years}` : `${termMonths} ${words.months}`,
    ),
    notice: written('notice_period_days', noticeDays, `${noticeDays} ${words.days}`),
    law: written('governing_law', data.law, data.law),
    currency: written('currency', country.currency, country.currency),
    value: written('contract_value', data.value, writeNumber(data.value, country)),
  };
}

function partsOf(text: string, values: Values): (string | Written)[] {
  const open = text.replaceAll(/\[([^\]]*)\]/g, (_all, inner: string) => (values['endDate'] ? inner : ''));
  return open.split(/(\{\w+\})/).flatMap((part): (string | Written)[] => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return [part];
    return name === 'value' ? [values['currency'] ?? '', ' ', values['value'] ?? ''] : [values[name] ?? ''];
  });
}

function writeProse(sheet: Sheet, values: Values, paragraphs: readonly string[]): void {
  let y = 70;
  for (const paragraph of paragraphs) {
    if (paragraph.startsWith('#')) {
      sheet.line(PAGE.width / 2, y, [paragraph.slice(1)], { size: 17, bold: true, align: 'center' });
      y += 36;
    } else y = sheet.prose(LEFT, y, partsOf(paragraph, values), WIDTH, 10.5) + 8;
  }
}

function writeSheet(sheet: Sheet, values: Values, random: Random, { language }: Country, isHeldOut: boolean): void {
  let y = 70;
  sheet.line(LEFT, y, [CONTRACT_TEXTS[language].A[0]?.slice(1) ?? ''], { size: 16, bold: true });
  y += 40;
  for (const [concept, name] of FACTS) {
    const value = values[name];
    if (value === undefined) continue;
    const label = pickLabel(random, concept, language, isHeldOut);
    const parts = name === 'value' ? [values['currency'] ?? '', ' ', value] : [value];
    if (isHeldOut) {
      sheet.line(LEFT, y, [label], { size: 8.5 });
      sheet.line(LEFT, y + 12, parts, { size: 11 });
      y += 32;
    } else {
      sheet.line(LEFT, y, [label], { size: 10.5, bold: true });
      sheet.line(LEFT + 190, y, parts, { size: 10.5 });
      y += 20;
    }
  }
}
