import type { LanguageWords } from './language-words.js';
import { toUnit } from './units.js';
import type { Word } from './words.js';

const CAPITAL = /^[\p{Lu}\p{Lt}]/u;
const INNER_CAPITAL_OR_DIGIT = /^(?=.*\p{L})..*[\p{Lu}\p{N}]/u;
/** Scripts without capitals in which foreign names are written. */
const KATAKANA = /^\p{Script=Katakana}[\p{Script=Katakana}\u30fc]+$/u;
const TITLES: ReadonlySet<string> = new Set(
  'mr mrs ms dr prof herr frau monsieur madame mme señor señora sig i'.split(' '),
);

/** Words that have a noun behind them, in the language that writes every noun with a capital. */
const DETERMINERS: ReadonlySet<string> = new Set(
  (
    'der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines im am zum zur vom ' +
    'beim ins ans mein meine meinen meinem meiner sein seine seinen seinem seiner seines ihr ihre ihren ihrem ihrer ' +
    'ihres unser unsere unseren unserem unserer dieser diese dieses diesem diesen jeder jede jedes jedem jeden jener ' +
    'alle allen aller alles welche welcher viele vielen mehr weniger pro je beide beiden'
  ).split(' '),
);
const GERMAN_ADJECTIVE = /^\p{Ll}{2,}(?:e|en|er|es|em)$/u;
const NOT_ADJECTIVES: ReadonlySet<string> = new Set(
  'unter über hinter neben aber oder gegen wegen zwischen nachher hier werden wurden worden haben hatten wurde habe hatte'.split(
    ' ',
  ),
);
/** Common endings of nouns that name no one. */
const GERMAN_NOUN = /(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften|tion|tionen|tät|täten|nis|nisse|tum|ing)s?$/u;

/**
 * Finds the words of a sentence that name somebody or something: those with capitals that do not begin it, those with
 * capitals or digits inside, and in Japanese those in katakana. In German they are nouns that have neither an article nor
 * an adjective nor the ending of a common noun.
 * @returns them in lower case; none where the sentence is written in capitals
 */
export function namesOf(words: readonly Word[], known: LanguageWords): ReadonlySet<string> {
  const names = new Set<string>();
  const capitals = words.filter(({ text }) => text.length > 1 && text === text.toUpperCase() && CAPITAL.test(text));
  if (capitals.length > 2 && capitals.length > words.length / 2) return names;
  for (const [index, word] of words.entries()) {
    if (isName(word, words[index - 1], words[index + 1], known)) names.add(word.lower);
  }
  return names;
}

function isName(word: Word, before: Word | undefined, after: Word | undefined, known: LanguageWords): boolean {
  const { text, lower } = word;
  if (INNER_CAPITAL_OR_DIGIT.test(text) || KATAKANA.test(text)) return true;
  if (!CAPITAL.test(text) || TITLES.has(lower) || known.isStopWord(lower) || toUnit(lower) !== undefined) return false;
  const isGerman = known.language === 'de';
  // `Anna Meyer` at the beginning is a name; `Employees must` is not.
  if (word.isFirst)
    return (
      !isGerman &&
      after !== undefined &&
      CAPITAL.test(after.text) &&
      !after.isAfterBreak &&
      !known.isStopWord(after.lower)
    );
  return !isGerman || isNamedBefore(after) || !isGermanNoun(word, before);
}

/** In German two nouns stand beside each other in names only: `Kessler GmbH`, `Anna Meyer`. */
function isNamedBefore(after: Word | undefined): boolean {
  return after !== undefined && !after.isAfterBreak && CAPITAL.test(after.text);
}

function isGermanNoun({ lower }: Word, before: Word | undefined): boolean {
  if (GERMAN_NOUN.test(lower)) return true;
  if (!before || before.isAfterBreak) return before === undefined;
  return (
    DETERMINERS.has(before.lower) ||
    /^\p{N}/u.test(before.text) ||
    (GERMAN_ADJECTIVE.test(before.text) && !NOT_ADJECTIVES.has(before.text))
  );
}
