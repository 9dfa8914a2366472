import { isSameFigure, placedFiguresIn } from '../figures.js';
import type { Figure, PlacedFigure } from '../figures.js';
import type { Concepts, ProvenLanguage } from './concepts.js';
import { SentenceWords, SharedWords } from './sentence-words.js';
import type { WordRange } from './sentence-words.js';

/** UTF-16 units before a figure in which its bound is looked for. */
const LOOKED_AT = 60;
/** Figures of a sentence: more has a table, in which nothing tells what is said of which. */
const MOST_FIGURES = 50;
/** What stands between both ends of a range, with a unit: `1998 to 2006`. */
const LONGEST_CONNECTOR = 12;
/** What stands between both ends of a range is none. */
const BREAK =
  /[,;:](?!\d)|(?<!\p{L}|(?:between|zwischen) [\d.,]{1,12} )(?:and|while|whereas|but|or|und|während|aber|oder|sondern|sowie)(?!\p{L})/gu;
const SET_OFF =
  /(?:(?:the |a |an |total of |dem |den |der )|(?:end|start|beginning|ende|anfang|beginn) (?:of |des jahres )?|(?:about|around|nearly|almost|roughly|rund|etwa|fast|circa|ca\.?) |(?:us\$|[€$£¥]|eur|usd) ?)*$/u;

/** What a word before a number or a date does to it; those of one line bound alike. */
const BOUNDS: Readonly<Record<ProvenLanguage, readonly (readonly [RegExp, string])[]>> = {
  en: [
    [
      /(?<!\p{L})(?:at least|no (?:less|fewer) than|not under|a minimum of|over|above|exceed(?:s|ed|ing)?|not before|from at least) $/u,
      'lower',
    ],
    [
      /(?<!\p{L})(?:at most|up to|no more than|not over|a maximum of|under|below|no later than|until|not exceeding) $/u,
      'upper',
    ],
    [/(?<!\p{L})before $/u, 'before'],
    [/(?<!\p{L})after $/u, 'after'],
    [/(?<!\p{L})(?:since|from|as of) $/u, 'from'],
    [/(?<!\p{L})to $/u, 'to'],
    [/(?<!\p{L})by $/u, 'by'],
  ],
  de: [
    [/(?<!\p{L})(?:mindestens|wenigstens|über|oberhalb von|frühestens(?: am)?) $/u, 'lower'],
    [/(?<!\p{L})(?:höchstens|maximal|bis zu|bis(?: zum)?|unter|unterhalb von|spätestens(?: am| zum)?) $/u, 'upper'],
    [/(?<!\p{L})(?:vor|vor dem) $/u, 'before'],
    [/(?<!\p{L})(?:nach|nach dem) $/u, 'after'],
    [/(?<!\p{L})(?:seit|ab|von|vom|seit dem|ab dem) $/u, 'from'],
    [/(?<!\p{L})auf $/u, 'to'],
    [/(?<!\p{L})um $/u, 'by'],
  ],
};
/** Those that the other sentence may leave out. */
const OPTIONAL: ReadonlySet<string> = new Set(['', 'from', 'to', 'by']);

/** A figure with what is said of it. */
export interface LinkedFigure extends PlacedFigure {
  /** Whether it is a year or a date. */
  readonly isTime: boolean;
  readonly bound: string;
  /** The words between the breaks or the other figures around it. */
  readonly words: WordRange;
  /** The year or date that it belongs to; undefined for years and dates themselves, and where there is none. */
  readonly time: Figure | undefined;
}

/**
 * The figures of a sentence in lower case, each with what is said of it; takes time in proportion to the sentence.
 * @returns undefined where there are more than fifty
 */
export function linkedFigures(lower: string, concepts: Concepts): LinkedFigure[] | undefined {
  const figures = [...placedFiguresIn(lower, concepts.language)].filter(({ figure }) => figure.isCertain);
  if (figures.length > MOST_FIGURES) return undefined;
  if (figures.length === 0) return [];
  const words = new SentenceWords(lower, concepts);
  const times = figures.filter(({ figure }) => isTime(figure));
  const breaks = Array.from(lower.matchAll(BREAK), ({ index }) => index);
  return figures.map((placed, index) => ({
    ...placed,
    isTime: isTime(placed.figure),
    bound: boundOf(lower, placed.start, concepts.language),
    words: words.between(...segmentOf(placed, figures[index - 1], figures[index + 1], breaks, lower)),
    time: isTime(placed.figure) ? undefined : timeOf(placed, times, lower),
  }));
}

/** Says whether each figure of a sentence is bounded as in its source, and is said of the same and of the same time. */
export function areLinkedAlike(
  claimed: readonly LinkedFigure[],
  given: readonly LinkedFigure[],
  concepts: Concepts,
): 'number' | 'direction' | undefined {
  const units = new Set(given.map(({ figure }) => figure.unit));
  const shared = new SharedWords(concepts);
  for (const one of claimed) {
    const same = given.filter(({ figure }) => isSameFigure(one.figure, figure, units));
    if (same.length === 0) continue;
    if (leavesUnitOut(one, same, claimed)) return 'number';
    if (!same.some(({ bound }) => isBoundedAlike(one.bound, bound))) return 'direction';
    const rivals = given.filter(
      (other) => !same.includes(other) && isRival(other.figure, same[0]?.figure ?? one.figure),
    );
    const sharedWith = (other: LinkedFigure): number => shared.count(one.words, other.words);
    const most = rivals.length > 0 ? Math.max(...same.map(sharedWith)) : 0;
    if (rivals.some((rival) => sharedWith(rival) > most)) return 'number';
    if (one.time && !same.some(({ time }) => !time || isOfTime(one.time as Figure, time, claimed))) return 'number';
  }
  return undefined;
}

/** `By 5` for `by 5 %`; a unit may be said once for several numbers. */
function leavesUnitOut(one: LinkedFigure, same: readonly LinkedFigure[], claimed: readonly LinkedFigure[]): boolean {
  if (one.isTime || one.figure.unit !== '') return false;
  return same.every(({ figure: { unit } }) => unit !== '' && !claimed.some(({ figure }) => figure.unit === unit));
}

function isOfTime(claimed: Figure, given: Figure, all: readonly LinkedFigure[]): boolean {
  const units: ReadonlySet<string> = new Set();
  // A source may name a second time, such as that of a comparison, as long as the sentence names both.
  return [claimed, ...all.map(({ figure }) => figure)].some((one) => isTime(one) && isSameTime(one, given, units));
}

function isSameTime(one: Figure, other: Figure, units: ReadonlySet<string>): boolean {
  if (one.kind === other.kind) return isSameFigure(one, other, units) || isSameFigure(other, one, units);
  const [date, year] = one.kind === 'date' ? [one, other] : [other, one];
  return date.readings.some((reading) => year.readings.includes(reading.split('-')[0] ?? ''));
}

function isBoundedAlike(claimed: string, given: string): boolean {
  return claimed === given || (OPTIONAL.has(claimed) && OPTIONAL.has(given) && (claimed === '' || given === ''));
}

function isRival(one: Figure, other: Figure): boolean {
  if (isTime(one) || isTime(other)) return isTime(one) && isTime(other);
  return one.kind === other.kind && one.unit === other.unit;
}

function isTime({ kind, unit, readings }: Figure): boolean {
  return kind === 'date' || (unit === '' && readings.some((reading) => /^(?:1[5-9]|20)\d{2}$/.test(reading)));
}

/** The words between a figure's breaks, or the figures of its kind beside it. */
function segmentOf(
  placed: PlacedFigure,
  before: PlacedFigure | undefined,
  after: PlacedFigure | undefined,
  breaks: readonly number[],
  text: string,
): [start: number, end: number] {
  const isApart = (one: PlacedFigure, other: PlacedFigure): boolean =>
    isRival(one.figure, other.figure) && other.start - one.end > LONGEST_CONNECTOR;
  const rivalBefore = before && isApart(before, placed) ? before.end : 0;
  const rivalAfter = after && isApart(placed, after) ? after.start : text.length;
  const start = Math.max(rivalBefore, breaks.findLast((at) => at < placed.start) ?? 0);
  const end = Math.min(rivalAfter, breaks.find((at) => at >= placed.end) ?? text.length);
  return [start, end];
}

/** `8.1 % in 2019`: the time behind a figure, else the one before it. */
function timeOf(placed: PlacedFigure, times: readonly PlacedFigure[], text: string): Figure | undefined {
  const behind = times.find(({ start }) => start >= placed.end);
  const between = behind && text.slice(placed.end, behind.start);
  if (between !== undefined && between.length < 24 && /(?:^|\s)(?:in|im|im jahr|im jahre) $/u.test(between)) {
    return behind?.figure;
  }
  return (times.findLast(({ end }) => end <= placed.start) ?? behind)?.figure;
}

function boundOf(text: string, start: number, language: ProvenLanguage): string {
  const before = text.slice(Math.max(0, start - LOOKED_AT), start);
  const rest = before.slice(0, SET_OFF.exec(before)?.index ?? before.length);
  return BOUNDS[language].find(([written]) => written.test(rest))?.[1] ?? '';
}
