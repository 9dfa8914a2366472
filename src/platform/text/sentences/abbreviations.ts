/**
 * What an abbreviation at the end of a would-be sentence says of what follows. CLDR has lists of such abbreviations, but
 * `Intl.Segmenter` does not read them: it drops `-u-ss-standard` of a locale.
 */
export type AbbreviationKind = 'goesOn' | 'mayEnd' | 'beforeNumbers' | 'ordinal';

const GOES_ON =
  'dr mr mrs ms prof hr st art abs ziff vgl bzw ca zb dh eg ie cf vs viz fig abb tab kap sec para pp vol al mme mlle ' +
  'sra dott ing gen col lt capt rev hon approx zzgl abzgl max min incl inkl exkl evtl ggf mind tel str geb ff resp sog bspw zt idr av pex';
const MAY_END = 'etc usw uvm inc ltd co corp jr sr bros dept est mio mrd jan feb aug sept sep oct okt nov dec dez';
const BEFORE_NUMBERS = 'nr no nos núm n p s seite';

const kinds: ReadonlyMap<string, AbbreviationKind> = new Map([
  ...MAY_END.split(' ').map((word) => [word, 'mayEnd'] as const),
  ...BEFORE_NUMBERS.split(' ').map((word) => [word, 'beforeNumbers'] as const),
  ...GOES_ON.split(' ').map((word) => [word, 'goesOn'] as const),
]);

const LOOKED_AT = 40;
/** `Dr.`, `z. B.`, `U.S.` or the `R.` of a name; the first group has its letters. */
const ABBREVIATION = /(?<![\p{L}\p{N}.])((?:\p{L}\. ?){0,6}\p{L}{1,6})\.["'”’)]?$/u;
/** `3.`, as German writes third. */
const ORDINAL = /(?<![\p{L}\p{N}.,])\d{1,2}\.$/u;

/** Answers what the abbreviation, initial or ordinal at the end of a text is; undefined where it ends like a sentence. */
export function abbreviationAtEnd(text: string): AbbreviationKind | undefined {
  const end = text.slice(-LOOKED_AT).trimEnd();
  if (!end.includes('.')) return undefined;
  if (ORDINAL.test(end)) return 'ordinal';
  const letters = ABBREVIATION.exec(end)?.[1];
  if (letters === undefined) return undefined;
  const word = letters.replaceAll(/[. ]/g, '').toLowerCase();
  return kinds.get(word) ?? (word.length === 1 || letters.includes('.') ? 'mayEnd' : undefined);
}
