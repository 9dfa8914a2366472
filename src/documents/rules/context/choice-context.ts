import { isContrast, toNegation } from '../../../platform/text/support/negations.js';
import { readBoolean } from '../parsers/booleans.js';
import { findOptions } from '../values/options.js';
import type { Option } from '../values/options.js';
import { BESIDE } from './text-beside.js';
import type { Beside } from './text-beside.js';

/** Those that labels are known in, and one like them: the negations of others are usual words of these. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt'];

/** What ends the words that a negation is of; a line of text goes on in the next one. */
const END_OF_PART = /[.;!?]\s|\n(?=.*\S)|\|| {2}/g;
/** `No. 5` is none. */
const NUMBER_BEHIND = /^(?:[.°:#]|\s*\d)/;
const WORD = /[\p{L}\p{M}][\p{L}\p{M}'’]*/gu;
const ANSWER_BEHIND = /^(?:[^\S\n]|[:?()[\]])*([\p{L}\p{M}'’]+)/u;

/** `un-paid`, `yes/no`. */
const JOINED_BEFORE = /[\p{L}\p{N}](?:-|\s?\/\s?)$/u;
const JOINED_BEHIND = /^(?:-|\s?\/\s?)[\p{L}\p{N}]/u;

const BOX = String.raw`(?<open>[☐□○◯❏❑▢]|\[\s*\]|\(\s*\))|[☑☒✓✔✗✘✕■●◉⊠]|\[[x✓✔✗✘]\]|\([x✓✔✗✘]\)`;
const BOX_BEFORE = new RegExp(`(?:${BOX})[^\\S\\n]*$`, 'iu');
const BOX_BEHIND = new RegExp(`^[^\\S\\n]*(?:${BOX})`, 'iu');

/** Whether what stands beside yes, no or an option says that it is not so: a negation, an empty box, another choice. */
export function isDenied([before, behind]: Beside): boolean {
  if (JOINED_BEFORE.test(before) || JOINED_BEHIND.test(behind)) return true;
  return isNegatedBefore(before) || isNegatedBehind(behind) || isBoxOpen(before, behind);
}

/** Whether an option stands beside one that was found that has it in itself, as `not paid` has `paid`. */
export function isPartOfOption(options: readonly Option[], found: string, [before, behind]: Beside): boolean {
  const near = before.slice(-BESIDE);
  const [start, end] = [near.length, near.length + found.length];
  return findOptions(options, `${near}${found}${behind.slice(0, BESIDE)}`).some(
    (other) => other.start < end && other.end > start && (other.start < start || other.end > end),
  );
}

function isNegatedBefore(before: string): boolean {
  const end = [...before.matchAll(END_OF_PART)].at(-1);
  const part = before.slice(end ? end.index + end[0].length : 0);
  const lastLabel = part.lastIndexOf(':');
  let isNegated = false;
  for (const { 0: word, index } of part.matchAll(WORD)) {
    if (isContrast(word.toLowerCase())) isNegated = false;
    // The answer to another question.
    else if (index < lastLabel && readBoolean(word)) continue;
    else isNegated ||= isNegation(word, part.slice(index + word.length));
  }
  return isNegated;
}

function isNegatedBehind(behind: string): boolean {
  const [found = '', word = ''] = ANSWER_BEHIND.exec(behind) ?? [];
  return word !== '' && !/ {2}/.test(found) && isNegation(word, behind.slice(found.length));
}

function isNegation(word: string, behind: string): boolean {
  const plain = word.toLowerCase().replaceAll('’', "'");
  if (NUMBER_BEHIND.test(behind) && plain === 'no') return false;
  return LANGUAGES.some((language) => toNegation(plain, language) !== undefined);
}

/** Boxes stand behind their words where the line ends with one, and before them elsewhere. */
function isBoxOpen(before: string, behind: string): boolean {
  const [first = ''] = behind.split('\n');
  const [left, right] = [BOX_BEFORE.exec(before), BOX_BEHIND.exec(behind)];
  const own = BOX_BEFORE.test(first) ? right : left;
  return (own ?? left ?? right)?.groups?.open !== undefined;
}
