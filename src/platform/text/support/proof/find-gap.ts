import type { CooperativeYield } from '../../../async/cooperative-yield.js';
import { toMonth } from '../../months.js';
import { Agreement } from '../agreement.js';
import { isSameFigure } from '../figures.js';
import { readStatement } from '../statement.js';
import type { Statement } from '../statement.js';
import { plainOf } from '../words.js';
import { conceptsOf } from './concepts.js';
import type { Concepts, Meaning, ProvenLanguage } from './concepts.js';
import { areLinkedAlike, linkedFigures } from './figure-links.js';
import type { LinkedFigure } from './figure-links.js';
import { leavesAntecedentOut } from './antecedents.js';
import { leavesContextOut } from './context.js';
import { leavesFrameOut } from './frames.js';
import { leavesOperatorOut } from './operators.js';
import { leavesPossessedOut } from './possessors.js';
import { readClauses } from './proof-clause.js';
import type { ProofClause, ProofWord } from './proof-clause.js';
import { hasStrangeItem, leavesModifierOut, leavesRankBoundOut } from './modifiers.js';
import { leavesBoundOut } from './predicates.js';
import { isQualifiedAlike, toQualifier } from './qualifiers.js';
import { windowsIn } from './proof-windows.js';
import { isOfOtherEra, isOfOtherPeriod, isTurnedInTime } from './rates.js';
import { rewritten } from './rewriting.js';
import { hasSwappedRoles } from './roles.js';
import { leavesShareOut } from './shares.js';

/** What a sentence says and its quotes do not, or otherwise, in the order in which it is looked for. */
export const PROOF_GAPS = [
  'too_long',
  'words',
  'number',
  'name',
  'negation',
  'quantifier',
  'direction',
  'context',
  'roles',
] as const;

/** One of them. */
export type ProofGap = (typeof PROOF_GAPS)[number];

/** Longer sentences are not compared, in UTF-16 units. */
export const LONGEST_CLAIM = 1_000;
/** Nor is more of a quote, and what is longer in compatible characters: one may stand for eighteen. */
const LONGEST = 2_000;
const LONGEST_PLAIN = 3_000;
const MOST_QUOTES = 8;
const MOST_CLAUSES = 24;
/** Words with content of a sentence, and of what proves it. */
const MOST_CLAIMED = 60;
const MOST_GIVEN = 150;
const MOST_FIGURES = 40;
/** Of so many words one may be in no quote. */
const WORDS_FOR_ONE = 6;
/** What parts of a sentence that are proven one by one are divided by. */
const PARTS = /[,;] (?:and |und |while |whereas |but |aber |während )|; | (?:while|whereas|während) /u;
const CAPITALISED = /(?<!\p{L})\p{Lu}\p{Ll}{2,}(?!\p{L})/gu;
/** Times that are named without a number, as in `every hour`. */
const PERIODS: ReadonlySet<string> = new Set(['minute', 'hour', 'day', 'week', 'month']);
const OWN_SUBJECT = /^(?:the|a|an|der|die|das|ein|eine|\p{Lu})/u;

/**
 * Finds what quotes leave unproven of an English or German sentence: its words, numbers, dates, names, negations,
 * quantifiers, directions and who does what must be in one quoted sentence, or in up to three of a quote that refer back;
 * parts of it that could stand alone may be in several. It compares words by lists and order, without understanding
 * (docs/decisions/0009-quotes-and-chunks.md has the rates). Takes time in proportion to the quotes, of which it reads eight,
 * with turns for others.
 * @param quotes whole sentences, so that nothing is torn from what denies it
 * @returns undefined where they prove the sentence
 * @throws the reason of the signal of the cooperation
 */
export async function findGap(
  sentence: string,
  quotes: readonly string[],
  language: ProvenLanguage,
  cooperation: CooperativeYield,
): Promise<ProofGap | undefined> {
  if (sentence.length > LONGEST_CLAIM) return 'too_long';
  const concepts = conceptsOf(language);
  const given: Reading[] = [];
  for (const quote of quotes.slice(0, MOST_QUOTES)) {
    for (const window of windowsIn(quote.slice(0, LONGEST))) {
      if (cooperation.isDue) await cooperation.yield();
      const reading = readingOf(window, concepts);
      if (reading) given.push(reading);
    }
  }
  const whole = readingOf(sentence, concepts);
  if (!whole) return 'too_long';
  const gap = await gapOf(whole, given, cooperation);
  const parts = gap === undefined ? [] : sentence.split(PARTS);
  if (parts.length < 2) return gap;
  for (const [index, part] of parts.entries()) {
    const isWhole = index === 0 || OWN_SUBJECT.test(part.trim());
    const reading = readingOf(part, concepts);
    if (!isWhole || !reading || reading.content.length < 2 || (await gapOf(reading, given, cooperation)) !== undefined)
      return gap;
  }
  return undefined;
}

/** The gap of the window that proves most of a sentence. */
async function gapOf(
  claim: Reading,
  given: readonly Reading[],
  cooperation: CooperativeYield,
): Promise<ProofGap | undefined> {
  if (claim.clauses.length > MOST_CLAUSES || claim.isTooLong(MOST_CLAIMED)) return 'too_long';
  let furthest: ProofGap = 'words';
  for (const source of given) {
    if (cooperation.isDue) await cooperation.yield();
    // More words are no sentence but a table or a list.
    if (source.isTooLong(MOST_GIVEN)) continue;
    const gap = gapBetween(claim, source);
    if (gap === undefined) return undefined;
    if (PROOF_GAPS.indexOf(gap) > PROOF_GAPS.indexOf(furthest)) furthest = gap;
  }
  return furthest;
}

/** A sentence, or neighbouring ones, as they are compared. */
class Reading {
  readonly clauses: readonly ProofClause[];
  readonly content: readonly ProofWord[];
  readonly statement: Statement;
  /** The numbers of the months that it names, alone or in dates. */
  readonly months: ReadonlySet<number>;
  /** Plain, in lower case. */
  readonly lower: string;

  constructor(
    plain: string,
    readonly concepts: Concepts,
    readonly figures: readonly LinkedFigure[],
  ) {
    this.clauses = readClauses(plain, concepts);
    this.content = this.clauses.flatMap(({ words }) => words);
    this.lower = plain.toLowerCase();
    this.statement = withoutQualifiers(readStatement(plain, concepts.words), concepts);
    this.months = monthsOf(plain, this.statement);
  }

  /** Whether it has more words with content than are compared. */
  isTooLong(mostWords: number): boolean {
    return this.content.length > mostWords;
  }

  has(meaning: Meaning): boolean {
    return this.content.some((word) => this.concepts.isSame(meaning, word));
  }
}

/** Undefined where it is too long to be compared, or has too many numbers, of which nothing else is read. */
function readingOf(text: string, concepts: Concepts): Reading | undefined {
  const plain = plainOf(text);
  if (plain.length > LONGEST_PLAIN) return undefined;
  const compared = rewritten(plain, concepts.language);
  const figures = linkedFigures(compared.toLowerCase(), concepts);
  return figures && figures.length <= MOST_FIGURES ? new Reading(compared, concepts, figures) : undefined;
}

function gapBetween(claim: Reading, source: Reading): ProofGap | undefined {
  const { concepts } = claim;
  const missing = claim.content.filter((word) => !word.isLight && !source.has(word));
  const counts = claim.content.filter(({ isLight }) => !isLight).length;
  const isTurned = missing.some((word) => source.content.some((other) => concepts.isOpposite(word, other)));
  if (isTurned) return 'direction';
  if (counts === 0 || counts + claim.figures.length < 2) return 'words';
  if (missing.length > Math.floor(counts / WORDS_FOR_ONE) || hasStrangeItem(claim, missing)) return 'words';
  const names = [...claim.statement.names].filter(
    (name) => toMonth(name) === undefined && !source.has(concepts.meaningOf(name)),
  );
  const agreement = new Agreement({ ...claim.statement, names: new Set(names) }, concepts.words.isComposing);
  const disagreement =
    agreement.findMissing([source.statement]) ?? areLinkedAlike(claim.figures, source.figures, concepts);
  if (disagreement) return disagreement;
  if (![...claim.statement.units].every((unit) => !PERIODS.has(unit) || source.statement.units.has(unit)))
    return 'number';
  if (isTurnedInTime(claim.statement, source.statement)) return 'direction';
  if (isDeniedOfMore(claim, source) || leavesShareOut(claim.lower, source.lower)) return 'number';
  if (isOfOtherPeriod(claim.lower, source.lower, concepts.language) || isOfOtherEra(claim.lower, source.lower))
    return 'number';
  if (![...claim.months].every((month) => source.months.has(month))) return 'number';
  // Of whom something is said tells nothing of when it is so.
  const said = claim.content.slice(1);
  const isSaid = (meaning: Meaning): boolean => said.some((word) => concepts.isSame(meaning, word));
  if (leavesContextOut(claim.lower, source.lower, concepts, isSaid)) return 'context';
  if (leavesOperatorOut(claim, source, concepts) || leavesFrameOut(claim, source, concepts)) return 'context';
  if ([leavesModifierOut, leavesRankBoundOut, leavesBoundOut].some((leavesOut) => leavesOut(claim, source, concepts)))
    return 'context';
  for (const clause of joined(claim.clauses)) {
    const gap = clauseGap(clause, source);
    if (gap) return gap;
  }
  const isOfOther = leavesPossessedOut(claim, source, concepts) || leavesAntecedentOut(claim, source, concepts);
  return isOfOther || hasSwappedRoles(claim.clauses, source.clauses, concepts) ? 'roles' : undefined;
}

/** `No lorries` for `no lorries over 40 tonnes`. */
function isDeniedOfMore(claim: Reading, source: Reading): boolean {
  if (!claim.statement.clauses.some(({ negations }) => negations.size > 0)) return false;
  return source.figures.some(
    ({ figure, bound }) =>
      (bound === 'lower' || bound === 'upper') &&
      !claim.figures.some((one) => isSameFigure(one.figure, figure, claim.statement.units)),
  );
}

/** What is allowed is compared by qualifiers, so that it makes no clauses alike here. */
function withoutQualifiers(statement: Statement, { words, language }: Concepts): Statement {
  const stems = new Set(
    [...statement.words].filter((word) => toQualifier(word, language)).map((word) => words.stem(word)),
  );
  const clauses = statement.clauses.map((clause) => ({
    ...clause,
    stems: new Set([...clause.stems].filter((stem) => !stems.has(stem))),
  }));
  return { ...statement, clauses };
}

/** A month alone is no date; `may` without a capital is none. */
function monthsOf(plain: string, { figures }: Statement): Set<number> {
  const months = new Set<number>();
  for (const { index, 0: word } of plain.matchAll(CAPITALISED)) {
    if (index > 0 || word !== 'May') months.add(toMonth(word.toLowerCase()) ?? 0);
  }
  for (const { kind, readings } of figures) {
    if (kind === 'date') for (const reading of readings) months.add(Number(reading.split('-')[1]));
  }
  months.delete(0);
  return months;
}

/** The clauses of a sentence; one with hardly a word of its own belongs to the next. */
function joined(clauses: readonly ProofClause[]): ProofClause[] {
  const parts: ProofClause[] = [];
  let held: ProofClause | undefined;
  for (const clause of clauses) {
    const part: ProofClause = held ? union(held, clause) : clause;
    held = part.words.length < 2 ? part : undefined;
    if (!held) parts.push(part);
  }
  const last = parts.pop();
  if (held) return [...parts, last ? union(last, held) : held];
  return last ? [...parts, last] : parts;
}

function union(one: ProofClause, other: ProofClause): ProofClause {
  return {
    words: [...one.words, ...other.words],
    qualifiers: new Set([...one.qualifiers, ...other.qualifiers]),
    all: [...one.all, ...other.all],
  };
}

/** What is otherwise in the clauses of the source that have most of the words of a clause. */
function clauseGap(claim: ProofClause, source: Reading): ProofGap | undefined {
  const { concepts } = source;
  const shared = source.clauses.map(
    ({ words }) => claim.words.filter((word) => words.some((other) => concepts.isSame(word, other))).length,
  );
  const most = Math.max(...shared, 0);
  if (most === 0) return undefined;
  let gap: ProofGap | undefined;
  for (const [index, clause] of source.clauses.entries()) {
    if (shared[index] !== most) continue;
    const isAlike = isQualifiedAlike(claim.qualifiers, clause.qualifiers);
    const found = !isAlike ? 'quantifier' : isReplaced(claim, clause, source) ? 'roles' : undefined;
    if (!found) return undefined;
    gap ??= found;
  }
  return gap;
}

/** Whether a word of a sentence stands where its source has another one: `B pays` for `it is free for B; A pays`. */
function isReplaced(claim: ProofClause, given: ProofClause, source: Reading): boolean {
  const { concepts } = source;
  const words = claim.words.filter(({ isLight }) => !isLight);
  const places = words.map((word) => given.words.findIndex((other) => concepts.isSame(word, other)));
  const isStrange = (word: ProofWord): boolean => !word.isLight && !words.some((other) => concepts.isSame(word, other));
  return places.some((place, index) => {
    if (place >= 0) return false;
    const left = places.slice(0, index).findLast((one) => one >= 0) ?? -1;
    const right = places.slice(index + 1).find((one) => one >= 0) ?? given.words.length;
    return left < right && given.words.slice(left + 1, right).some(isStrange);
  });
}
