import { findCompanies, findHeadings } from './candidates/companies.js';
import type { FoundCompany } from './candidates/companies.js';
import { toPlace } from './candidates/candidate.js';
import type { Candidate, Place } from './candidates/candidate.js';
import { toLabelTokens } from './labels/label-tokens.js';
import type { Lexicon } from './labels/lexicon.js';
import { ConventionCounter } from './conventions.js';
import type { PageIndex, PlacedCell } from './page-index.js';
import { findIbans, findVatIds } from './parsers/account-numbers.js';
import type { FoundNumber } from './parsers/account-numbers.js';
import { findAmounts } from './parsers/amounts.js';
import { findCurrencies } from './parsers/currencies.js';
import { findDurations } from './parsers/durations.js';
import { findDates } from './parsers/dates.js';
import type { FoundDate } from './parsers/dates.js';
import type { PlacedAmount } from './checks/totals.js';

/** A number with check digits, or a date, and where it stands. */
export interface Placed<Found> {
  readonly found: Found;
  readonly place: Place;
}

/** What is kept of a document, whatever its length. */
const MOST = { candidates: 24, amounts: 300, dates: 200, numbers: 50, companies: 60, codes: 40 } as const;

/** Only the first of these UTF-16 units of a cell are looked at: a line of a page has no more. */
const LONGEST_CELL = 2_000;

/** What may be the number of a document: capitals and digits, with digits in it. */
const CODE =
  /(?<![\p{L}\p{N}./-])(?=[\p{Lu}\p{N}/.-]{0,30}\d{2})(?:[\p{Lu}]{1,5}[-/. ]?)?\d[\p{Lu}\p{N}/.-]{2,24}(?![\p{L}\p{N}])/gu;

/** Collects what is found on the pages of one document, so much of each that it stays small. */
export class Collector {
  readonly conventions = new ConventionCounter();
  readonly ibans: Placed<FoundNumber>[] = [];
  readonly vatIds: Placed<FoundNumber>[] = [];
  readonly dates: Placed<FoundDate>[] = [];
  readonly companies: FoundCompany[] = [];
  /** Of the first page. */
  headings: readonly FoundCompany[] = [];
  readonly codes: Place[] = [];
  readonly currencies: Placed<string>[] = [];
  /** Numbers of days, weeks, months and years, as they are written. */
  readonly durations: { readonly text: string; readonly place: Place }[] = [];
  private readonly firstAmounts: PlacedAmount[] = [];
  private lastAmounts: PlacedAmount[] = [];
  private readonly candidates = new Map<number, Candidate[]>();
  private readonly titleWords: ReadonlySet<string>;

  constructor(lexicon: Lexicon) {
    const labels = [lexicon.invoiceNumber, lexicon.contractNumber].flatMap((words) =>
      Object.values(words.labels).flat(),
    );
    this.titleWords = new Set(labels.flatMap((label) => toLabelTokens(label).map(({ key }) => key)));
  }

  /** Keeps a candidate for a field, if it is among the best. */
  add(target: number, candidate: Candidate): void {
    const others = this.candidates.get(target) ?? [];
    this.candidates.set(target, others);
    const same = others.findIndex(({ place }) => isSamePlace(place, candidate.place));
    if (same >= 0) {
      if ((others[same] as Candidate).score < candidate.score) others[same] = candidate;
      return;
    }
    others.push(candidate);
    if (others.length > MOST.candidates) {
      const worst = others.reduce(
        (least, other, index) => (other.score <= (others[least] as Candidate).score ? index : least),
        0,
      );
      others.splice(worst, 1);
    }
  }

  candidatesOf(target: number): readonly Candidate[] {
    return this.candidates.get(target) ?? [];
  }

  /** The amounts that stand in no row, from the first pages and the last. */
  get amounts(): readonly PlacedAmount[] {
    return [...this.firstAmounts, ...this.lastAmounts];
  }

  /** Takes what a page has beside its labels, in small steps. @param rows the lines that belong to tables */
  *addPage(page: PageIndex, rows: ReadonlySet<number>): Generator<void, void> {
    if (this.companies.length < MOST.companies) this.companies.push(...findCompanies(page).slice(0, MOST.companies));
    if (page.index === 0) {
      // What a document is called is no name.
      this.headings = findHeadings(page, rows).filter(
        ({ name }) => !toLabelTokens(name).some(({ key }) => this.titleWords.has(key)),
      );
    }
    for (const cell of page.cells) {
      this.addCell(page, cell, rows);
      yield;
    }
  }

  private addCell(page: PageIndex, cell: PlacedCell, rows: ReadonlySet<number>): void {
    const text = page.textOf({ start: cell.start, end: Math.min(cell.end, cell.start + LONGEST_CELL) });
    const at = <Found extends { readonly start: number; readonly end: number }>(found: Found): Placed<Found> => ({
      found,
      place: toPlace(page, cell.start + found.start, cell.start + found.end, cell.words),
    });
    if (!/[\d€$£¥]|[A-Z]{3}/.test(text)) return;
    for (const currency of findCurrencies(text)) {
      this.conventions.addCurrency(currency.code);
      if (this.currencies.length < MOST.numbers) {
        this.currencies.push({ found: currency.code, place: at(currency).place });
      }
    }
    if (!/\d/.test(text)) return;
    if (this.durations.length < MOST.numbers) {
      const found = findDurations(text, undefined).map(at);
      this.durations.push(...found.map(({ place }) => ({ text: place.quote, place })));
    }
    for (const date of findDates(text)) {
      this.conventions.addDate(date);
      if (this.dates.length < MOST.dates) this.dates.push(at(date));
    }
    if (this.ibans.length < MOST.numbers) this.ibans.push(...findIbans(text).map(at));
    if (this.vatIds.length < MOST.numbers) this.vatIds.push(...findVatIds(text).map(at));
    if (page.index === 0) this.addCodes(text, at);
    for (const amount of findAmounts(text)) {
      this.conventions.addAmount(amount);
      if (!rows.has(cell.line)) this.addAmount({ amount, place: at(amount).place });
    }
  }

  private addCodes(text: string, at: (found: { start: number; end: number }) => Placed<unknown>): void {
    for (const { 0: code, index } of text.matchAll(CODE)) {
      if (this.codes.length < MOST.codes) this.codes.push(at({ start: index, end: index + code.length }).place);
    }
  }

  private addAmount(amount: PlacedAmount): void {
    if (this.firstAmounts.length < MOST.amounts) this.firstAmounts.push(amount);
    else this.lastAmounts.push(amount);
    if (this.lastAmounts.length >= 2 * MOST.amounts) this.lastAmounts = this.lastAmounts.slice(-MOST.amounts);
  }
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.pageIndex === other.pageIndex && one.start < other.end && one.end > other.start;
}
