/** A letter with its marks four times, or two or three of them three times, one behind another: `ааааа`, `hahaha`. */
const REPEATED = /(\p{L}\p{M}{0,3})\1{3,}|((?:\p{L}\p{M}{0,3}){2,3})\2{2,}/gu;
/** Parts of Korean letters, which no word is written with. */
const LOOSE_JAMO = /[\u3131-\u318e]+/g;
/** The only letter of a text: it is a face, such as the one in `¯\_(ツ)_/¯`. */
const LONE_KANA = /^\P{L}*[\p{Script=Hiragana}\p{Script=Katakana}]\P{L}*$/u;
/** A line in which something is assigned, compared or combined. */
const OPERATOR = /\S[ \t]+(?:[:!+-]?=|={2,3}|=>|&&|\|\|)[ \t]+\S/;
const WORD = /\p{Ll}{2,}/gu;
/** A line of code that has as many words is taken for a sentence. */
const WORDS_OF_SENTENCE = 4;

const LATIN_WORD = /\p{Script=Latin}[\p{Script=Latin}\p{M}'’-]*/gu;
const LETTER = /\p{L}/gu;
/** Longer texts are no accident; of shorter ones than the least there is nothing to compare. */
const [LEAST_LETTERS, MOST_LETTERS] = [12, 100];
/** How alike its letters are, from 0 to 1, to those of texts in its language, by eld; words of any have 0.46 and more. */
const LEAST_SCORE = 0.4;
/** Of scripts that several languages share the nearest is always found, also for what is none; words of one have 0.78. */
const LEAST_SHARED_SCORE = 0.75;
const SHARED_SCRIPTS = /[\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}]/u;
/** Those whose languages eld knows by enough letters. Of Latin ones it tells none where it is not sure. */
const COMPARED_SCRIPTS =
  /[\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Greek}\p{Script=Hebrew}]/u;

/** The text without what is in no language: letters that repeat, parts of letters, faces, lines of code. */
export function evidenceOf(text: string): string {
  const lines = text.replaceAll(REPEATED, ' ').replaceAll(LOOSE_JAMO, ' ').split('\n');
  const evidence = lines.filter((line) => !isCode(line)).join('\n');
  return LONE_KANA.test(evidence) ? '' : evidence;
}

/**
 * Whether a short text that was taken for one of a language, by its script or as the likest of the few that are written
 * in it, can be one at all: keys that somebody has hit cannot.
 */
export async function canBe(language: string, text: string): Promise<boolean> {
  const foreign = text.replaceAll(LATIN_WORD, ' ');
  if (!COMPARED_SCRIPTS.test(foreign)) return true;
  const letters = foreign.match(LETTER)?.length ?? 0;
  if (letters < LEAST_LETTERS || letters > MOST_LETTERS) return true;
  const { eld } = await import('eld/extrasmall');
  const found = eld.detect(foreign);
  if (found.language === '') return false;
  // Where it is taken for another one by all of it, the likeness to that one says nothing.
  if (found.language !== language) return true;
  const least = SHARED_SCRIPTS.test(foreign) ? LEAST_SHARED_SCORE : LEAST_SCORE;
  return (found.getScores()[language] ?? 0) >= least;
}

function isCode(line: string): boolean {
  return OPERATOR.test(line) && (line.match(WORD)?.length ?? 0) < WORDS_OF_SENTENCE;
}
