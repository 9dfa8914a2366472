/** Languages whose words for a minus, and for what is below zero, are known here. */
const LANGUAGES: ReadonlySet<string> = new Set(
  'en de fr es it pt nl pl cs sk sv da no nb nn fi hu ro ru uk be bg el tr ja zh ko'.split(' '),
);
/** Where one number is taken from another, or `plus` stands before it, the word says no number below zero. */
const ELSE = String.raw`[\d%)]\s?|(?:plus|плюс|プラス)[^\d.]{0,6}`;
const SPACED_WORDS = 'minus|mínusz|mínus|miinus|минус|мінус|μείον|eksi';
/** A word for a minus right before a number, that says nothing else. */
export const MINUS_WORD_BEFORE = new RegExp(
  String.raw`(?:(?<!${ELSE}|\p{L})(?:${SPACED_WORDS})|(?<!${ELSE})(?:マイナス|마이너스|영하|氷点下))\s?$`,
  'iu',
);
/** These may also be a part of `al menos`, `胜3负5` and the like. */
const POSSIBLE = /(?:minus|menos|moins|meno|negative|минус|мінус|マイナス|负|負|零下)\s?$/i;
const BELOW_ZERO =
  /^[\s°\p{L}]{0,20}?(?:below (?:zero|freezing)|unter (?:null|dem gefrierpunkt)|bajo cero|(?:en dessous de|sous) zéro|sotto (?:lo )?zero|abaixo de zero|negativ|onder (?:nul|het vriespunt)|poniżej zera|mrozu|pod nul|under noll|ниже нуля|мороза|нижче нуля|морозу|kälte|frost)/iu;

/** Whether what stands around a number may say that it is below zero; `certain`: it says nothing else. */
export function findMinusWord(before: string, after: string): 'certain' | 'possible' | undefined {
  if (MINUS_WORD_BEFORE.test(before)) return 'certain';
  return POSSIBLE.test(before) || BELOW_ZERO.test(after) ? 'possible' : undefined;
}

/** Whether a text in a language has a minus in a way that is known here. */
export function isMinusLanguage(language: string | undefined): boolean {
  return language !== undefined && LANGUAGES.has(language);
}
