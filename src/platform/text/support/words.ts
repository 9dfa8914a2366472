const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\0]/gu;
const HYPHENATION = /(\p{L})[-\u2010][ \t]*\r?\n[ \t]*(?=\p{Ll})/gu;
const RAISED = /(\p{Nd})([\u00b2\u00b3\u00b9\u2070\u2074-\u2079])/gu;
const FRACTION = /(\p{Nd})(?=[\u00bc-\u00be\u2150-\u215e])/gu;
const APOSTROPHE = /[\u2018\u2019\u02bc\u0060\u00b4]/g;
const MINUS = /[\u02d7\u2010-\u2015\u2043\u2052\u2212\u2796]/g;
/** No dash: it belongs to the number behind the space, where none is before it. */
const SPACED_MINUS = /(?<![\p{N}%)]\s?)[\u2212\u2796]\s(?=[\p{N}\p{Sc}])/gu;
/** What a part of a sentence ends with. */
const BREAK = /[,;:()[\]\u3001\uff0c\uff1b\u060c]|\s-\s/;
const ELIDING: ReadonlySet<string> = new Set(['fr', 'it', 'ca']);

/** A word of a sentence. */
export interface Word {
  /** As it is written. */
  readonly text: string;
  readonly lower: string;
  /** Where what it is written in begins, in UTF-16 units of the text. */
  readonly start: number;
  /** Whether a comma, a bracket or the like stands between it and the word before. */
  readonly isAfterBreak: boolean;
  /** Whether it begins the sentence, or what is quoted in it. */
  readonly isFirst: boolean;
}

/** A text with compatible characters, without what is invisible and the hyphens at the ends of lines. */
export function plainOf(text: string): string {
  return text
    .replaceAll(HYPHENATION, '$1')
    .replaceAll(INVISIBLE, '')
    .replaceAll(RAISED, '$1^$2')
    .replaceAll(FRACTION, '$1 ')
    .normalize('NFKC')
    .replaceAll(APOSTROPHE, "'")
    .replaceAll(SPACED_MINUS, '-')
    .replaceAll(MINUS, '-')
    .replaceAll(/\s+/g, ' ');
}

/** The words of a plain text in order; `l'accord` is two in the languages that elide, and `company's` is `company`. */
export function readWords(text: string, language: string): Word[] {
  const words: Word[] = [];
  let between = '';
  for (const { segment, index: start, isWordLike } of segmenter.segment(text)) {
    if (!isWordLike) {
      between += segment;
      continue;
    }
    const isFirst = words.length === 0 || /["«»“”„]\s*$/.test(between);
    for (const [index, part] of partsOf(segment, language).entries()) {
      const isAfterBreak = index === 0 && BREAK.test(between);
      words.push({ text: part, lower: part.toLowerCase(), start, isAfterBreak, isFirst: isFirst && index === 0 });
    }
    between = '';
  }
  return words;
}

function partsOf(word: string, language: string): string[] {
  if (!word.includes("'")) return [word];
  const lower = word.toLowerCase();
  if (lower.endsWith("n't") && lower !== "can't") return [word.slice(0, -3), "n't"].filter((part) => part !== '');
  if (lower === "can't") return [word.slice(0, 3), "n't"];
  if (ELIDING.has(language)) {
    return word
      .split("'")
      .map((part) => (part.toLowerCase() === 'n' ? 'ne' : part))
      .filter((part) => part !== '');
  }
  return [word.replace(/'(?:s|ll|re|ve|d|m)?$/i, '')];
}
