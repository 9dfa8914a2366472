/** What a character stands for in the text that is searched: itself, another, several, or none ('' = left out). */
const SEPARATORS: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2043\u2212\u02d7\ufe58\ufe63\uff0d]/u, '-'],
  [/[\u2024\u3002\uff61\u00b7\u2027\u2219\u22c5]/u, '.'],
  [/[\u2236\ua789\u02d0]/u, ':'],
  [/[\u2215\u2044\u29f8]/u, '/'],
  [/\p{Zs}/u, ' '],
];
// Programs cut a text at NUL, and the keycap around a digit (\p{Me}) leaves the digit to be read.
const IGNORABLE = /\0|\p{Default_Ignorable_Code_Point}|\p{Me}/u;
const DIGIT = /\p{Nd}/u;
/** A footnote's ² behind a number is no digit of it, and ½ is no number between others. */
export const RAISED_OR_FRACTION = /[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209c\u2150-\u215f\u2189]/u;

const MOST_KNOWN = 20_000;
const known = new Map<number, string | null>();

/**
 * Answers what stands for a code point, or null where it stands for itself: ASCII for digits of any script, for
 * full-width and other compatibility forms (Unicode NFKC, each character by itself) and for separators that look like
 * `-`, `.`, `:`, `/` or a space; '' for what is invisible (Unicode's Default_Ignorable_Code_Point, and NUL) or encloses the
 * character before it.
 */
export function toPlainCharacter(codePoint: number): string | null {
  let plain = known.get(codePoint);
  if (plain === undefined) {
    const character = String.fromCodePoint(codePoint);
    plain = findPlain(character, codePoint);
    if (plain === character) plain = null;
    // Texts that use all of Unicode fill no memory.
    if (known.size === MOST_KNOWN) known.clear();
    known.set(codePoint, plain);
  }
  return plain;
}

function findPlain(character: string, codePoint: number): string {
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return character;
  if (IGNORABLE.test(character)) return '';
  for (const [look, plain] of SEPARATORS) if (look.test(character)) return plain;
  if (DIGIT.test(character)) return String(digitValue(codePoint));
  if (RAISED_OR_FRACTION.test(character)) return character;
  const compatible = character.normalize('NFKC');
  // The compatibility form of an accent that stands alone begins with a space, which is in no text.
  return compatible.startsWith(' ') || compatible.length > 8 ? character : compatible;
}

/** Unicode keeps the ten digits of a script together and in order, and the mathematical ones follow each other. */
function digitValue(codePoint: number): number {
  let first = codePoint;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return (codePoint - first) % 10;
}
