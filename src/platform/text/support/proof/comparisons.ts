import { readWords } from '../words.js';
import { isSameFigure, placedFiguresIn } from '../figures.js';
import type { Figure, PlacedFigure } from '../figures.js';
import type { Concepts, Meaning, ProvenLanguage } from './concepts.js';
import type { Operand } from './operand.js';

/** Parts of a sentence with comparisons or figures that are looked at: more has a list, in which nothing is compared. */
const MOST_PARTS = 12;
/** Words with content of what stands in the place of a whole statement, as in `Lyon 0.5 million`. */
const MOST_ELLIPTIC = 3;
const PARTS = /[,;:](?!\d)|(?<!\p{L})(?:and|but|while|whereas|und|aber|während|sowie)(?!\p{L})/u;
/** The same, which keeps what it splits at. */
const KEPT_PARTS = new RegExp(`(${PARTS.source})`, 'u');
/** What stands between both that are compared. */
const COMPARED: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /(?<!\p{L})(?:than|as \p{L}+ as|exceed(?:s|ed)?|outnumber(?:s|ed)?|surpass(?:es|ed)?|outperform(?:s|ed)?|outweigh(?:s|ed)?|compared (?:with|to))(?!\p{L})/u,
  de: /(?<!\p{L})(?:(?<=(?:\p{L}er(?:e[nmrs]?)?|mehr|weniger|besser)(?!\p{L})[^,;:.]{0,80} )als|(?:so|ebenso|genauso) \p{L}+ wie|übersteigt|überstieg(?:en)?|übertrifft|übertraf(?:en)?)(?!\p{L})/u,
};
/** Words that compare, on which it depends which of several comparisons is meant. */
const COMPARATIVE = /^(?:more|less|fewer|better|worse|mehr|weniger|besser|\p{L}{2,}er(?:e[nmrs]?)?)$/u;

/** One comparison of a sentence: what is compared, and with what. */
interface Comparison {
  readonly compared: readonly Meaning[];
  readonly standard: readonly Meaning[];
}

/** A part of a sentence with its figures, other than years and dates. */
interface Counted {
  readonly figures: readonly Figure[];
  readonly words: readonly Meaning[];
}

/**
 * Says whether a sentence compares with what its source compares (`more from Russia than from Norway` for the other way
 * round), or gives a figure to what has another one in a part of its source without a verb (`Paris has 2.1 million
 * inhabitants, Lyon 0.5 million`). Takes time in proportion to the source for each of up to twelve parts.
 */
export function isComparedOtherwise(claim: Operand, source: Operand, concepts: Concepts): boolean {
  return hasOtherStandard(claim, source, concepts) || hasFigureOfOther(claim, source, concepts);
}

function hasOtherStandard(claim: Operand, source: Operand, concepts: Concepts): boolean {
  const claimed = comparisonsIn(claim.lower, concepts);
  if (claimed.length === 0) return false;
  const given = comparisonsIn(source.lower, concepts);
  return claimed.some(({ compared, standard }) => {
    const comparatives = compared.filter(({ lower }) => COMPARATIVE.test(lower));
    const alike = given.filter((one) => comparatives.some((word) => isIn(word, one.compared, concepts)));
    const candidates = alike.length > 0 ? alike : given;
    if (candidates.length === 0) return false;
    const own: Comparison = { compared, standard: standard.filter((word) => !isIn(word, compared, concepts)) };
    return candidates.every((one) => isTurned(own, one, given, concepts));
  });
}

/** Whether words behind a comparison are those of another one of a source, or both sides have changed their places. */
function isTurned(own: Comparison, one: Comparison, given: readonly Comparison[], concepts: Concepts): boolean {
  const strange = own.standard.filter((word) => !isIn(word, one.standard, concepts));
  if (strange.some((word) => given.some((other) => other !== one && isIn(word, other.standard, concepts)))) return true;
  const isMoved = one.standard.some(
    (word) => !isIn(word, one.compared, concepts) && isIn(word, own.compared, concepts),
  );
  return isMoved && strange.some((word) => isIn(word, one.compared, concepts));
}

function comparisonsIn(lower: string, concepts: Concepts): Comparison[] {
  const comparisons: Comparison[] = [];
  for (const part of lower.split(/[.!?] /).flatMap((sentence) => sentence.split(PARTS))) {
    const found = COMPARED[concepts.language].exec(part);
    if (!found || comparisons.length === MOST_PARTS) continue;
    const end = found.index + found[0].length;
    // `As high as` has the word that compares in it.
    comparisons.push({
      compared: meaningsOf(part.slice(0, end), concepts),
      standard: meaningsOf(part.slice(end), concepts),
    });
  }
  return comparisons;
}

function hasFigureOfOther(claim: Operand, source: Operand, concepts: Concepts): boolean {
  const given = source.lower.split(/[.!?] /).flatMap((sentence) => {
    const counted = countedIn(sentence, concepts);
    return counted.length < 2 ? [] : counted;
  });
  if (given.length === 0) return false;
  return countedIn(claim.lower, concepts).some(({ figures, words }) => {
    const own = given.filter((part) => figures.some((figure) => hasFigure(part, figure)));
    return own.some(({ figures: its }) => {
      const rivals = given.filter((part, index) => {
        const isElliptic = index > 0 && part.words.length > 0 && part.words.length <= MOST_ELLIPTIC;
        return (
          isElliptic && !own.includes(part) && part.figures.some((figure) => its.some((one) => isAlike(one, figure)))
        );
      });
      return rivals.some((rival) => {
        return words.some(
          (word) => isIn(word, rival.words, concepts) && !own.some((part) => isIn(word, part.words, concepts)),
        );
      });
    });
  });
}

function countedIn(sentence: string, concepts: Concepts): Counted[] {
  const placed: PlacedFigure[] = [...placedFiguresIn(sentence, concepts.language)].filter(
    ({ figure }) => !isTime(figure),
  );
  if (placed.length === 0 || placed.length > MOST_PARTS) return [];
  let start = 0;
  return sentence.split(KEPT_PARTS).flatMap((part) => {
    const end = start + part.length;
    const figures = placed.filter((one) => one.start >= start && one.start < end).map(({ figure }) => figure);
    start = end;
    return figures.length > 0 ? [{ figures, words: meaningsOf(part, concepts) }] : [];
  });
}

function hasFigure({ figures }: Counted, figure: Figure): boolean {
  const units = new Set(figures.map(({ unit }) => unit));
  return figures.some((one) => isSameFigure(figure, one, units));
}

function isAlike(one: Figure, other: Figure): boolean {
  return one.kind === other.kind && (one.unit === other.unit || one.unit === '' || other.unit === '');
}

function isTime({ kind, unit, readings }: Figure): boolean {
  return kind === 'date' || (unit === '' && readings.some((reading) => /^(?:1[5-9]|20)\d{2}$/.test(reading)));
}

function isIn(word: Meaning, words: readonly Meaning[], concepts: Concepts): boolean {
  return words.some((other) => concepts.isSame(word, other));
}

function meaningsOf(text: string, concepts: Concepts): Meaning[] {
  return readWords(text, concepts.language)
    .filter(({ lower }) => !/^\p{N}/u.test(lower) && (COMPARATIVE.test(lower) || !concepts.words.isStopWord(lower)))
    .map(({ lower }) => concepts.meaningOf(lower));
}
