import type { TextSpan } from '../../platform/text/text-span.js';
import { alignTokens } from './align-tokens.js';
import type { JoinedPart, JoinedTexts } from './joined-texts.js';

/** What stands in the place of a piece of a text of a list, or of several. */
export interface ChangedText {
  readonly text: string;
  /** The text of the list that it begins in. */
  readonly first: number;
  readonly last: number;
}

/**
 * Puts a changed text into the place of texts that were joined. What was not changed is told piece by piece, as it was;
 * what takes the place of several pieces is one. All that is told is of the changed text.
 * @param changed the joined text, changed; or another text that says the same, changed
 */
export function placeChanged({ text, parts }: JoinedTexts, changed: string): readonly ChangedText[] {
  const own = (part: JoinedPart): ChangedText => {
    return { text: text.slice(part.start, part.end), first: part.entry, last: part.entry };
  };
  if (changed === text) return parts.map(own);
  const tokens = Array.from(text.matchAll(/\S+/g), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  const found: ChangedText[] = [];
  let at = 0;
  for (const { text: replacement, from, to } of alignTokens(
    tokens.map(({ start, end }) => text.slice(start, end)),
    changed.split(/\s+/).filter(Boolean),
  )) {
    const range = { start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0 };
    while ((parts[at]?.start ?? range.start) < range.start) at += 1;
    const within: JoinedPart[] = [];
    for (let part = parts[at]; part && part.start < range.end; part = parts[++at]) within.push(part);
    const touched = touchedParts(text.slice(range.start, range.end), replacement, range, within);
    for (const part of within.slice(0, touched.from)) found.push(own(part));
    const [first, last] = [within[touched.from], within[touched.to - 1]];
    if (touched.from < touched.to && first && last && touched.text !== '') {
      found.push({ text: touched.text, first: first.entry, last: last.entry });
    }
    for (const part of within.slice(touched.to)) found.push(own(part));
  }
  return found;
}

/** Of parts of a range which of them a replacement changes, from and up to where, and what stands in their place. */
function touchedParts(
  original: string,
  replacement: string,
  range: TextSpan,
  parts: readonly JoinedPart[],
): { readonly from: number; readonly to: number; readonly text: string } {
  if (original === replacement) return { from: parts.length, to: parts.length, text: '' };
  const most = Math.min(original.length, replacement.length);
  let before = 0;
  while (before < most && original[before] === replacement[before]) before += 1;
  let after = 0;
  while (after < most - before && original.at(-1 - after) === replacement.at(-1 - after)) after += 1;
  let from = parts.findIndex(({ end }) => end - range.start > before);
  if (from < 0) from = Math.max(0, parts.length - 1);
  let to = parts.length;
  while (to > from + 1 && (parts[to - 1]?.start ?? 0) - range.start >= original.length - after) to -= 1;
  // What stands before and behind them is as long as it was.
  const start = from === 0 ? 0 : (parts[from - 1]?.end ?? range.start) - range.start;
  const rest = to === parts.length ? 0 : original.length - ((parts[to]?.start ?? range.end) - range.start);
  return { from, to, text: replacement.slice(start, replacement.length - rest).trim() };
}
