import type { MessageKind } from './protected-unit.js';
import type { TextSpan } from '../../platform/text/text-span.js';

/** A message of ICU with branches: where it stands in its text, and where its branches do, without their braces. */
export interface IcuMessage extends TextSpan {
  readonly kind: MessageKind;
  readonly branches: readonly TextSpan[];
}

/** A brace that nothing closes. */
const OPEN = -1;
const BEGINNING = /\{\s{0,20}[\p{L}\p{N}_.-]{1,100}\s{0,20},\s{0,20}(plural|selectordinal|select)\s{0,20},/gu;
const OFFSET = /\s{0,20}offset:\d{1,6}/y;
const SELECTOR = /\s{0,200}(?:=\d{1,9}|[\p{L}\p{N}_-]{1,64})\s{0,20}(?=\{)/uy;
const END = /\s{0,200}(?=\})/y;

/** Messages of ICU in one another beyond this are kept as they are. */
export const MAX_MESSAGE_DEPTH = 4;

/** Characters, or branches, of one step. */
const STEP = 4_096;

/**
 * Finds the messages of ICU in a text that have branches, the outermost ones only, in time in proportion to the text and
 * in steps.
 */
export function* findIcuMessages(text: string): Generator<void, IcuMessage[]> {
  if (!text.includes('{')) return [];
  let found = beginningFrom(text, 0);
  if (!found) return [];
  const closings = yield* matchBraces(text);
  const messages: IcuMessage[] = [];
  while (found) {
    const { index, 0: beginning } = found;
    const kind = found[1] as MessageKind;
    let next = index + beginning.length;
    const end = closings[index] ?? OPEN;
    const branches = end === OPEN ? undefined : yield* readBranches(text, next, end, closings);
    if (branches) {
      messages.push({ start: index, end: end + 1, kind, branches });
      next = end + 1;
    }
    yield;
    found = beginningFrom(text, next);
  }
  return messages;
}

/** How many branches the messages of a text have, those in one another too as far as they are translated, in steps. */
export function* countBranches(text: string, depth = 0): Generator<void, number> {
  if (depth === MAX_MESSAGE_DEPTH) return 0;
  let count = 0;
  for (const { branches } of yield* findIcuMessages(text)) {
    count += branches.length;
    for (const { start, end } of branches) {
      count += yield* countBranches(text.slice(start, end), depth + 1);
      yield;
    }
  }
  return count;
}

/** The place is set each time: others may search between two steps. */
function beginningFrom(text: string, at: number): RegExpExecArray | null {
  BEGINNING.lastIndex = at;
  return BEGINNING.exec(text);
}

/** The branches between a place and the brace that closes the message; undefined where it is none of ICU. */
function* readBranches(
  text: string,
  start: number,
  end: number,
  closings: Int32Array,
): Generator<void, TextSpan[] | undefined> {
  const branches: TextSpan[] = [];
  OFFSET.lastIndex = start;
  let at = OFFSET.test(text) ? OFFSET.lastIndex : start;
  for (;;) {
    SELECTOR.lastIndex = at;
    if (!SELECTOR.test(text)) break;
    const open = SELECTOR.lastIndex;
    const close = closings[open] ?? OPEN;
    if (close === OPEN) return undefined;
    branches.push({ start: open + 1, end: close });
    at = close + 1;
    if (branches.length % STEP === 0) yield;
  }
  END.lastIndex = at;
  return branches.length > 0 && END.test(text) && END.lastIndex === end ? branches : undefined;
}

/** Where the braces of a text are closed, by where they are opened; those in apostrophes are characters. */
function* matchBraces(text: string): Generator<void, Int32Array> {
  const closings = new Int32Array(text.length).fill(OPEN);
  const opened: number[] = [];
  let stepEnd = STEP;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= stepEnd) {
      yield;
      stepEnd = at + STEP;
    }
    const character = text.charAt(at);
    if (character === "'" && /[{}]/.test(text.charAt(at + 1))) {
      const end = text.indexOf("'", at + 1);
      // A quote that nobody ends is an apostrophe, as in d'{name}.
      if (end >= 0) at = end;
    } else if (character === '{') {
      opened.push(at);
    } else if (character === '}') {
      const open = opened.pop();
      if (open !== undefined) closings[open] = at;
    }
  }
  return closings;
}
