/** What a mark of quotations may be, by what it stands beside; one that `elides` is an apostrophe before a word, or opens. */
export type MarkRole = 'opens' | 'closes' | 'either' | 'elides';
/** How sure it is that a mark closes: behind a letter or a digit it may be an apostrophe, inches or feet as well. */
export type MarkStrength = 'strong' | 'medium' | 'weak';
/** Marks that are written for one another. */
export type MarkFamily = 'single' | 'double' | 'angle' | 'singleAngle' | 'corner';

/** A mark of quotations in a text. */
export interface QuotationMark {
  /** As it is mostly written. */
  readonly mark: string;
  readonly start: number;
  readonly end: number;
  readonly role: MarkRole;
  readonly strength: MarkStrength;
}

/** What each mark that opens is closed by: languages use the same marks both ways, and some texts mix them. */
const CLOSED_BY: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”“',
  '”': '”',
  '„': '“”"',
  '``': '"”``',
  '«': '»',
  '»': '«»',
  '‹': '›',
  '›': '‹›',
  '「': '」',
  '『': '』',
  '《': '》',
  '⟪': '⟫',
  '❮': '❯',
  "'": "'’",
  '‘': "’'",
  '’': "’'",
  '‚': "‘’'",
};
const ALIKE: Readonly<Record<string, string>> = {
  "''": '"',
  '＂': '"',
  '″': '"',
  ʺ: '"',
  '‶': '"',
  '˝': '"',
  ˮ: '"',
  '״': '"',
  '′': "'",
  '〈': '《',
  '〉': '》',
  '﹃': '『',
  '﹄': '』',
  '｢': '「',
  '｣': '」',
  '﹁': '「',
  '﹂': '」',
  '‟': '“',
  '❝': '“',
  '〝': '“',
  '❞': '”',
  '〞': '”',
  '〟': '”',
  '‛': '‘',
  '❛': '‘',
  '❜': '’',
  '＇': "'",
  '´': "'",
  ʻ: '‘',
  ʼ: '’',
};
const FAMILIES: readonly (readonly [MarkFamily, string])[] = [
  ['single', "'‘’‚"],
  ['angle', '«»'],
  ['singleAngle', '‹›'],
  ['corner', '「」『』《》⟪⟫❮❯'],
];
const BEFORE_OPENING = /^[\s([{\p{Pd}:*_|>=/]?$/u;
const BEHIND_CLOSING = /^[\s.,;:!?…)\]}\p{Pd}*_|</]?$/u;
const BLANK = /^\s?$/;
const LETTER = /\p{L}/u;
/** Hebrew writes the marks of quotations within its acronyms. */
const HEBREW = /\p{Script=Hebrew}/u;
const DIGIT = /\p{N}/u;
/** What an apostrophe at the beginning of a word stands for a part of: `'90s`, `'n'`, `'tis`. */
const ELISION =
  /^(?:\d\ds?|n|em|tis|twas|till?|cause|cos|round|bout|tween|neath|gainst|[stkmd]|re|ve|ll|ne[nmrs]?)(?![\p{L}\p{N}])/iu;
const POSSESSIVE = /^s(?![\p{L}\p{N}])/iu;
/** The longest of the elisions with what follows it. */
const ELISION_LENGTH = 9;

const MARKS: ReadonlySet<string> = new Set(
  [...Object.keys(CLOSED_BY), ...Object.values(CLOSED_BY), ...Object.keys(ALIKE)].flatMap((marks) => [...marks]),
);

/** Whether a character is a mark of quotations, or may be an apostrophe. */
export function isMark(character: string): boolean {
  return MARKS.has(character);
}

/** What closes a quotation that a mark opens. */
export function closersOf(mark: string): string {
  return CLOSED_BY[mark] ?? '';
}

/** The marks that a mark is written for one another with. */
export function familyOf(mark: string): MarkFamily {
  return FAMILIES.find(([, marks]) => marks.includes(mark))?.[0] ?? 'double';
}

/**
 * The places of a run of such characters, with the marks that open or close a quotation: told by what stands before and
 * behind the run. Apostrophes within words are none.
 */
export function* marksOfRun(text: string, start: number, end: number): Generator<[number, QuotationMark | undefined]> {
  const before = text.slice(Math.max(0, start - 1), start);
  const behind = text.slice(end, end + ELISION_LENGTH);
  for (let at = start; at < end;) {
    const two = at + 1 < end ? text.slice(at, at + 2) : '';
    const written = two === "''" || two === '``' ? two : text.charAt(at);
    const mark = ALIKE[written] ?? written;
    const role =
      familyOf(mark) === 'single'
        ? roleOfSingle(mark, before, behind)
        : roleOf(mark, written, isElided(text, at, before) ? '' : before, behind);
    const found = role && { mark, start: at, end: at + written.length, role, strength: strengthOf(mark, role, before) };
    yield [at, found];
    at += written.length;
  }
}

/** Whether an apostrophe stands between a word and a mark, as in `l’« ancienne »`. */
function isElided(text: string, at: number, before: string): boolean {
  return LETTER.test(before) && "'’".includes(text.charAt(at - 1));
}

function roleOf(mark: string, written: string, before: string, behind: string): MarkRole | undefined {
  if ('„「『《⟪❮'.includes(mark)) return 'opens';
  if ('」』》⟫❯'.includes(mark)) return 'closes';
  const next = behind.charAt(0);
  const [mayOpen, mayClose] = [BEFORE_OPENING.test(before), BEHIND_CLOSING.test(next)];
  if (mark === '`') return undefined;
  if (mark === '``') return mayOpen && !mayClose ? 'opens' : 'closes';
  if (written === "''" && mayOpen && mayClose) return undefined;
  if (mayOpen && !mayClose) return 'opens';
  if (mayClose && !mayOpen) return 'closes';
  if (mark === '”') return 'closes';
  if (HEBREW.test(before) && HEBREW.test(next)) return undefined;
  return DIGIT.test(before) ? 'closes' : 'either';
}

function roleOfSingle(mark: string, before: string, behind: string): MarkRole | undefined {
  if (mark === '‚') return 'opens';
  const next = behind.charAt(0);
  if (isSaid(before) && isSaid(next)) return undefined;
  const [mayOpen, mayClose] = [BEFORE_OPENING.test(before), BEHIND_CLOSING.test(next)];
  if (mayOpen && !mayClose) return ELISION.test(behind) ? 'elides' : 'opens';
  if (mayClose && !mayOpen) return 'closes';
  if (BLANK.test(before) && BLANK.test(next)) return undefined;
  return POSSESSIVE.test(behind) ? 'elides' : 'either';
}

function strengthOf(mark: string, role: MarkRole, before: string): MarkStrength {
  // French, and some German texts the other way round, set spaces within angles.
  const isAngle = '«»‹›'.includes(mark);
  if ((role === 'either' && !isAngle) || role === 'elides' || DIGIT.test(before)) return 'weak';
  if (familyOf(mark) !== 'single' || !LETTER.test(before)) return 'strong';
  return before.toLowerCase() === 's' ? 'weak' : 'medium';
}

function isSaid(character: string): boolean {
  return LETTER.test(character) || DIGIT.test(character);
}
