import { isChangedIn } from '../context/is-changed.js';
import type { Target } from '../targets.js';
import { findIbans, findVatIds } from '../parsers/account-numbers.js';
import { findAmounts } from '../parsers/amounts.js';
import { readBoolean } from '../parsers/booleans.js';
import { findCurrencies } from '../parsers/currencies.js';
import { findDates } from '../parsers/dates.js';
import type { RawValue } from './raw-value.js';
import { findDurations, unitOfName } from '../parsers/durations.js';
import { detached } from '../../../platform/text/detached.js';
import { findOption } from './options.js';
import type { Shape } from './shape.js';

/** A text has so many units at most, a code so many. */
const LONGEST_TEXT = 1_000;
const LONGEST_CODE = 40;

const LEAD = /^[\s:;.,#|=*_\u2022–—-]+/;
const PROSE_LEAD = /^[\s:;.,#|=*\u2022–—-]+(?:(?:of|von|de|du|des|del) )?/;
const TAIL = /[\s,;:|]+$/;
/** `Ltd.` and `Inc.` keep theirs. */
const FULL_STOP = /(?<=\p{Ll}{4})\.$/u;
const CODE = /^[\p{L}\p{N}][\p{L}\p{N}./_-]*(?: [\p{N}][\p{N}./_-]*){0,5}/u;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g;
const SENTENCE_END = /[;(]|[.,](?=\s|$)|\n\n/;

/** As `readValues` does; those that what stands beside them may change are doubtful. */
export function readJudgedValues(target: Target, shape: Shape, text: string, isProse: boolean): RawValue[] {
  return readValues(target, shape, text, isProse).map((raw) => judged(target, shape, raw, text));
}

/** A value of a text, doubtful where what stands beside it may change it. */
export function judged(target: Target, shape: Shape, raw: RawValue, text: string): RawValue {
  return isChangedIn(target, shape, raw, text) ? { ...raw, isDoubtful: true } : raw;
}

/** The values of a field in a text, the likeliest first. @param isProse whether the text goes on behind the value */
export function readValues(target: Target, shape: Shape, text: string, isProse: boolean): RawValue[] {
  if (shape === 'date') return findDates(text).map((date) => ({ start: date.start, end: date.end, date }));
  if (shape === 'number') return readNumbers(target, text);
  if (shape === 'iban') return findIbans(text).map(toChecked);
  if (shape === 'vatId') return findVatIds(text).map(toChecked);
  if (shape === 'currency') return findCurrencies(text).map(({ code, start, end }) => ({ start, end, known: code }));
  if (shape === 'email') {
    return [...text.matchAll(EMAIL)].map(({ 0: known, index }) => ({ start: index, end: index + known.length, known }));
  }
  if (shape === 'boolean') return readYesNo(text);
  if (shape === 'option') return findOption(target.field.options ?? [], text);
  return shape === 'code' ? readCode(text) : readText(text, isProse);
}

function toChecked({ start, end, value }: { start: number; end: number; value: string }): RawValue {
  return { start, end, known: value, hasCheckDigits: true };
}

function readNumbers({ names, labels, concept, field }: Target, text: string): RawValue[] {
  const unit = unitOfName([...names, ...labels].join(' '));
  if (unit || concept === 'term' || concept === 'noticePeriod') {
    const durations = findDurations(text, unit);
    if (durations.length > 0) return durations;
  }
  const amounts = findAmounts(text).filter(({ isPercent }) => concept !== 'taxAmount' || !isPercent);
  const sorted = concept === 'taxRate' ? amounts.filter(({ isPercent }) => isPercent) : amounts;
  const isWhole = field.kind === 'integer';
  return (sorted.length > 0 ? sorted : amounts)
    .filter(({ written }) => !isWhole || !/[.,]\d{1,2}$/.test(written))
    .map((amount) => ({ start: amount.start, end: amount.end, amount }));
}

function readYesNo(text: string): RawValue[] {
  const found = readBoolean(text);
  if (!found) return [];
  const start = text.search(/[\p{L}\u2610-\u2718]/u);
  return [{ start, end: found.end, known: found.value }];
}

function readCode(text: string): RawValue[] {
  const start = LEAD.exec(text)?.[0].length ?? 0;
  const rest = text.slice(start, start + LONGEST_CODE + 1);
  const words = rest.trimEnd();
  const isWhole = words.length === rest.length ? rest.length <= LONGEST_CODE : true;
  const isShort = isWhole && words.split(' ').length <= 3 && /\d/.test(words) && !/[:,;]/.test(words);
  const code = (isShort ? words : (CODE.exec(words)?.[0] ?? '')).replace(TAIL, '').replace(/[.]$/, '');
  if (!/\d/.test(code) || code.length < 2) return [];
  return [{ start, end: start + code.length, known: detached(code) }];
}

function readText(text: string, isProse: boolean): RawValue[] {
  const start = (isProse ? PROSE_LEAD : LEAD).exec(text)?.[0].length ?? 0;
  const rest = text.slice(start, start + LONGEST_TEXT);
  const end = isProse ? rest.search(SENTENCE_END) : -1;
  const known = (end < 0 ? rest : rest.slice(0, end)).replace(TAIL, '').replace(FULL_STOP, '');
  if (!/\p{L}/u.test(known)) return [];
  return [{ start, end: start + known.length, known: detached(known.replaceAll(/\s+/g, ' ')) }];
}
