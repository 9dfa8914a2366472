import { createRequire } from 'node:module';

// Modules of an older form without types, which are read when a language first needs them.
const require = createRequire(import.meta.url);

/** As much of snowball-stemmers as is used. */
interface Stemmers {
  newStemmer(algorithm: string): { stem(word: string): string };
}

/** What is known of the words of a language. */
export interface LanguageWords {
  /** The primary subtag of BCP 47; '' where it is not known. */
  readonly language: string;
  /** Says whether a word in lower case is one that texts about anything have. */
  isStopWord(word: string): boolean;
  /** Whether words are written together into longer ones, or their inflections are not known, so that beginnings and ends tell. */
  readonly isComposing: boolean;
  /** The form that the inflections of a word in lower case share; the word itself where there is no stemmer. */
  stem(word: string): string;
}

/** The names of the stemmer and of the list of stop words by language. */
const LIBRARY_NAMES: Readonly<Record<string, readonly [stemmer: string, stopWords: string]>> = {
  ar: ['arabic', 'ara'],
  ca: ['catalan', 'cat'],
  cs: ['czech', 'ces'],
  da: ['danish', 'dan'],
  de: ['german', 'deu'],
  en: ['english', 'eng'],
  es: ['spanish', 'spa'],
  eu: ['basque', 'eus'],
  fi: ['finnish', 'fin'],
  fr: ['french', 'fra'],
  hu: ['hungarian', 'hun'],
  hy: ['armenian', 'hye'],
  it: ['italian', 'ita'],
  nl: ['dutch', 'nld'],
  no: ['norwegian', 'nob'],
  pt: ['portuguese', 'por'],
  ro: ['romanian', 'ron'],
  ru: ['russian', 'rus'],
  sl: ['slovene', 'slv'],
  sv: ['swedish', 'swe'],
  ta: ['tamil', ''],
  tr: ['turkish', 'tur'],
  bg: ['', 'bul'],
  el: ['', 'ell'],
  fa: ['', 'fas'],
  he: ['', 'heb'],
  hi: ['', 'hin'],
  hr: ['', 'hrv'],
  ja: ['', 'jpn'],
  ko: ['', 'kor'],
  lt: ['', 'lit'],
  lv: ['', 'lav'],
  pl: ['', 'pol'],
  sk: ['', 'slk'],
  th: ['', 'tha'],
  uk: ['', 'ukr'],
  vi: ['', 'vie'],
  zh: ['', 'zho'],
};

/** Words that the lists leave out, and that texts about anything have. */
const MORE_STOP_WORDS: Readonly<Record<string, string>> = {
  en: 'may shall will being am whether upon such per within until till however via every during against',
};
const COMPOSING: ReadonlySet<string> = new Set(['de', 'nl', 'sv', 'da', 'no', 'fi', 'hu']);

/** Longer words have no inflections, and some stemmers would take long. */
const LONGEST_STEMMED = 40;

const loaded = new Map<string, LanguageWords>();

/**
 * Answers what is known of the words of a language, loading the libraries at first use.
 * @param language primary subtag of BCP 47; where nothing is known of it, no word is a stop word and all are their own stems
 */
export function loadLanguageWords(language: string | undefined): LanguageWords {
  const known = language !== undefined && Object.hasOwn(LIBRARY_NAMES, language) ? language : '';
  let words = loaded.get(known);
  if (!words) {
    words = load(known);
    loaded.set(known, words);
  }
  return words;
}

function load(language: string): LanguageWords {
  const [stemmerName = '', listName = ''] = LIBRARY_NAMES[language] ?? [];
  const stemmer = stemmerName === '' ? undefined : (require('snowball-stemmers') as Stemmers).newStemmer(stemmerName);
  const lists = listName === '' ? {} : (require('stopword') as Readonly<Record<string, readonly string[]>>);
  const stopWords = new Set([...(lists[listName] ?? []), ...(MORE_STOP_WORDS[language]?.split(' ') ?? [])]);
  return {
    language,
    isComposing: stemmer === undefined || COMPOSING.has(language),
    isStopWord: (word) => stopWords.has(word),
    stem: (word) => (stemmer && word.length <= LONGEST_STEMMED ? stemmer.stem(word) : word),
  };
}
