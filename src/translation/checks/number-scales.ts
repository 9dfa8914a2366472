import { toScale } from '../../platform/text/support/units.js';

/** Ten, a hundred, a thousand, ten thousand and a hundred million, as they are counted in East Asia. */
const EAST_ASIAN: Readonly<Record<string, number>> = {
  十: 1,
  百: 2,
  千: 3,
  백: 2,
  천: 3,
  万: 4,
  萬: 4,
  만: 4,
  億: 8,
  亿: 8,
  억: 8,
};
const EAST_ASIAN_WORD = /^\s?([十百千백천]?(?:[万萬億亿억]|만(?!큼))|[千천])/u;
/** Beside those that are read elsewhere too. */
const MORE: Readonly<Record<string, number>> = {
  hundred: 2,
  hundert: 2,
  honderd: 2,
  cientos: 2,
  cento: 2,
  centos: 2,
  bln: 9,
  tsd: 3,
  bilhão: 9,
  bilhões: 9,
  bilión: 12,
  billón: 12,
  billones: 12,
  bilione: 12,
  bilioni: 12,
  biljoen: 12,
  thousands: 3,
  trilhão: 12,
  trilhões: 12,
};
/** Those that are inflected; no millionaires, and no millennia. */
const STEMS: readonly (readonly [RegExp, number])[] = [
  [/^(?:тыс|tys|тысяч(?!елет)\p{L}*|tysi[ąę]c(?!lec|lat)\p{L}*)$/u, 3],
  [/^(?:млн|mln|миллион(?!ер)\p{L}*|milion(?!er|ar)\p{L}*)$/u, 6],
  [/^(?:млрд|mld|миллиард(?!ер)\p{L}*|miliard(?!er)\p{L}*)$/u, 9],
  [/^(?:трлн|триллион\p{L}*|bilion\p{L}*)$/u, 12],
];
/** The sign for a dozen is a verb, too, as in what is printed, opened or packed. */
const DOZEN =
  /^[\s-]?(?:(?:dozens?|dutzende?n?|douzaines?|docenas?|dozzin[ae]|dúzias?|dozijn|дюжин\p{L}{0,3}|tuzin\p{L}{0,3})(?!\p{L})|打(?![印包开開电電算击擊扫掃断斷分字破折的到])|ダース|다스)/iu;
/** In French it may say minutes. */
const UNCERTAIN: ReadonlySet<string> = new Set(['mn']);
const LANGUAGES: ReadonlySet<string> = new Set('en de fr es it pt nl zh ja ko ru pl'.split(' '));
const WORD = /^[\s-]{0,2}(\p{L}{1,20})(?:\s(\p{L}{1,20}))?/u;

/** Whether the words of a language that make a number greater are known. */
export function isScaleLanguage(language: string | undefined): boolean {
  return language !== undefined && LANGUAGES.has(language);
}

/** The power of ten that a word multiplies with; undefined: none. */
export function scaleOf(word: string, language: string): number | undefined {
  const power = toScale(word, language) ?? (Object.hasOwn(MORE, word) ? MORE[word] : undefined);
  return power ?? STEMS.find(([stem]) => stem.test(word))?.[1];
}

/** Whether what stands behind a number multiplies it with twelve. */
export function startsWithDozen(after: string): boolean {
  return DOZEN.test(after);
}

/**
 * The power of ten that what stands behind a number multiplies it with, as `million` and `mil millones` do.
 * @returns undefined where it does not; `isCertain` where it cannot say anything else in its language
 */
export function scaleAhead(
  after: string,
  language: string | undefined,
): { readonly power: number; readonly isCertain: boolean } | undefined {
  const eastAsian = EAST_ASIAN_WORD.exec(after)?.[1];
  if (eastAsian !== undefined) {
    return { power: Array.from(eastAsian).reduce((sum, sign) => sum + (EAST_ASIAN[sign] ?? 0), 0), isCertain: true };
  }
  const [first = '', second = ''] = (WORD.exec(after) ?? []).slice(1).map((word) => word?.toLowerCase());
  const power = scaleOf(first, language ?? '');
  if (power === undefined) return undefined;
  return {
    power: power + (scaleOf(second, language ?? '') ?? 0),
    isCertain: isScaleLanguage(language) && !UNCERTAIN.has(first),
  };
}
