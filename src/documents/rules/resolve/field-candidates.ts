import type { PlacedAmount } from '../checks/totals.js';
import type { Candidate, Place } from '../candidates/candidate.js';
import type { Collector, Placed } from '../collector.js';
import type { Conventions } from '../conventions.js';
import type { Target } from '../targets.js';
import { readJudgedValues } from '../values/read-values.js';
import type { RawValue } from '../values/raw-value.js';
import type { Shape } from '../values/shape.js';
import { toValue } from '../values/to-value.js';
import { pass } from './scored.js';
import type { Scored } from './scored.js';

/** The candidates of one field with their values, those without a label too, where the value tells what it is. */
export function candidatesFor(
  collector: Collector,
  index: number,
  { target, shape }: { readonly target: Target; readonly shape: Shape },
  conventions: Conventions,
): Scored[] {
  const labelled = collector.candidatesOf(index);
  const places = new Set(labelled.map(({ place }) => keyOf(place)));
  const plain = unlabelled(collector, target, shape).filter(({ place }) => !places.has(keyOf(place)));
  const scored = [...labelled, ...plain].flatMap((candidate) => {
    const typed = toValue(target, candidate.raw, conventions);
    if (!typed) return [];
    const one: Scored = { ...candidate, ...typed, passed: new Set(), failed: new Set(), points: candidate.score };
    if (candidate.raw.hasCheckDigits) pass(one, 'digits');
    return [one];
  });
  for (const one of scored) {
    const same = scored.filter((other) => other !== one && other.value === one.value && other.relation !== 'none');
    if (same.length > 0) pass(one, 'repeated');
  }
  return scored;
}

function keyOf({ pageIndex, start }: Place): string {
  return `${pageIndex} ${start}`;
}

/** Values that tell by themselves what they are: numbers with check digits, currencies, dates, names of companies. */
function unlabelled(collector: Collector, target: Target, shape: Shape): Candidate[] {
  const { concept, field } = target;
  if (shape === 'iban') return numbers(collector.ibans, 0.5, 0);
  if (shape === 'vatId' && concept === 'supplierVatId') return numbers(collector.vatIds, 0.42, 0.03);
  if (shape === 'vatId') return numbers(collector.vatIds.slice(1), 0.32, 0);
  if (shape === 'currency') return currencies(collector);
  if (shape === 'date' && (concept === 'invoiceDate' || concept === 'effectiveDate')) {
    return collector.dates
      .filter(({ place }) => place.pageIndex === 0)
      .slice(0, 10)
      .map(({ found, place }, order) => toCandidate({ start: 0, end: 0, date: found }, place, 0.3 - order * 0.02));
  }
  if (shape === 'date' && (concept === 'dueDate' || concept === 'endDate')) return laterDates(collector);
  if (shape === 'number' && concept === 'contractValue') return sums(collector);
  if (shape === 'number' && (concept === 'term' || concept === 'noticePeriod')) {
    return collector.durations.slice(0, 6).flatMap(({ text, place }, order) => {
      const [raw] = readJudgedValues(target, shape, text, false);
      return raw?.known === undefined ? [] : [toCandidate(raw, place, 0.3 - order * 0.01)];
    });
  }
  if (shape === 'code' && (concept === 'invoiceNumber' || concept === 'contractNumber')) return codes(collector);
  return field.kind === 'string' && shape === 'text' ? names(collector, concept) : [];
}

function toCandidate(raw: RawValue, place: Place, score: number): Candidate {
  return { raw, place, relation: 'none', label: 'none', labelQuality: 0, score };
}

function numbers(found: readonly Placed<{ readonly value: string }>[], score: number, step: number): Candidate[] {
  return found
    .slice(0, 10)
    .map(({ found: { value }, place }, order) =>
      toCandidate({ start: 0, end: 0, known: value, hasCheckDigits: true }, place, score - order * step),
    );
}

/** The currency that the document names most, where it first stands. */
function currencies({ conventions, currencies: found }: Collector): Candidate[] {
  const { currency } = conventions;
  const first = found.find((other) => other.found === currency);
  return first ? [toCandidate({ start: 0, end: 0, known: first.found }, first.place, 0.6)] : [];
}

/** Dates behind the first one of the first page: by their sequence the last of them is when to pay. */
function laterDates({ dates }: Collector): Candidate[] {
  return dates
    .filter(({ place }) => place.pageIndex === 0)
    .slice(1, 6)
    .map(({ found, place }) => toCandidate({ start: 0, end: 0, date: found }, place, 0.15));
}

/** Numbers beside a currency, outside of tables. */
function sums({ amounts, currencies: found }: Collector): Candidate[] {
  const isMoney = ({ place }: PlacedAmount) =>
    found.some(
      ({ place: { pageIndex, start, end } }) =>
        pageIndex === place.pageIndex && start - place.end <= 1 && place.start - end <= 1,
    );
  return amounts
    .filter(isMoney)
    .slice(0, 6)
    .map(({ amount, place }, order) => toCandidate({ start: 0, end: 0, amount }, place, 0.35 - order * 0.02));
}

/** What looks like the number of a document: with letters rather than without. */
function codes({ codes: found }: Collector): Candidate[] {
  return found
    .slice(0, 10)
    .map((place, order) =>
      toCandidate(
        { start: 0, end: 0, known: place.quote },
        place,
        (/^[A-Z]{1,5}[-/. ]?\d/.test(place.quote) ? 0.28 : 0.16) - order * 0.01,
      ),
    );
}

/** Companies by where they stand: who writes is at the top, or in large letters; to whom is the other one. */
function names({ companies, headings }: Collector, concept: Target['concept']): Candidate[] {
  const first = companies.filter(({ place }) => place.pageIndex === 0);
  const largest = Math.max(0, ...first.map(({ size }) => size));
  const isFirst = concept === 'supplierName';
  if (!isFirst && concept !== 'customerName') return [];
  const best = first.toSorted((one, other) => worthOf(other, largest) - worthOf(one, largest))[0];
  // A name in larger letters than any company's is that of one which does not say its form.
  const [heading] = headings.filter(({ size }) => size > (best?.size ?? 0) * 1.15);
  const supplier = heading ?? best;
  const ranked = [
    ...(heading ? [heading] : []),
    ...first.toSorted((one, other) => worthOf(other, largest) - worthOf(one, largest)),
  ];
  const wanted = isFirst ? ranked : first.filter(({ name }) => name !== supplier?.name);
  const score = heading && isFirst ? 0.4 : isFirst ? 0.6 : 0.45;
  return wanted
    .slice(0, 4)
    .map(({ name, place }, order) => toCandidate({ start: 0, end: 0, known: name }, place, score - order * 0.06));
}

function worthOf({ size, line }: Collector['companies'][number], largest: number): number {
  return (size >= largest * 0.98 ? 1 : 0) - Math.min(line, 40) / 20;
}
