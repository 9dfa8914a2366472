/** PostgreSQL's text search configurations by language (BCP 47); others are looked for word by word, as they are. */
const CONFIGURATIONS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** Scripts that are written without spaces between words. */
const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The text search configuration of a language. */
export function searchConfiguration(language: string | null | undefined): string {
  return CONFIGURATIONS[language ?? ''] ?? 'simple';
}

/** A text with spaces between all of its words, as PostgreSQL needs it. */
export function separateWords(text: string): string {
  if (!WITHOUT_SPACES.test(text)) return text;
  return Array.from(segmenter.segment(text), ({ segment }) => segment).join(' ');
}
