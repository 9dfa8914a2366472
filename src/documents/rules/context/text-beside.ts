/** UTF-16 units beside a quote that are kept. */
export const BESIDE = 40;
/** Those that are looked through for them, where white space is wide. */
const LOOKED_AT = 1_000;

const WIDE_BLANK = /\s{2,}/g;
const LINE_BREAK = /[\n\r\u2028\u2029]/;

const DASH = /[\p{Pd}\u02d7\u2043\u207b\u208b\u2212\u2796]/gu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;
const FULL_WIDTH = /[\ufe50-\ufe6b\uff01-\uff5e\uffe0-\uffe6]/g;

/** What stands before a place of a text, and behind it. */
export type Beside = readonly [before: string, behind: string];

/**
 * What stands before and behind a place of a text, as `withPlainSigns` has it: a sign may stand at the other edge of a
 * column.
 */
export function textBeside(text: string, start: number, end: number): Beside {
  const before = withPlainSigns(text.slice(Math.max(0, start - LOOKED_AT), start));
  const behind = withPlainSigns(text.slice(end, end + LOOKED_AT));
  return [before.slice(-BESIDE), behind.slice(0, BESIDE)];
}

/**
 * A text with one kind of dashes, signs of usual width, and nothing that is invisible. White space in a row is one line
 * break where it has one, and two blanks elsewhere.
 */
export function withPlainSigns(text: string): string {
  const visible = text.replaceAll(INVISIBLE, '').replaceAll(DASH, '-');
  return narrowed(visible.replaceAll(FULL_WIDTH, (sign) => sign.normalize('NFKC')));
}

function narrowed(text: string): string {
  return text.replaceAll(WIDE_BLANK, (blank) => (LINE_BREAK.test(blank) ? '\n' : '  ')).replaceAll('\t', '  ');
}
