import { runSteps } from '../../platform/async/run-steps.js';
import { sentencesIn } from '../../platform/text/sentences/sentences.js';
import type { MarkedToken } from '../protection/marker-notation.js';
import type { ProtectedUnit } from '../protection/protected-unit.js';
import { toProtectedUnit } from '../protection/to-protected-unit.js';

/** Pairs in one another beyond this are cut at all markers in them. */
const MAX_DEPTH = 20;

/** What may not be cut: a pair with what it holds, a single marker, or text up to the end of a sentence. */
interface Chunk {
  readonly tokens: readonly MarkedToken[];
  /** As the notation writes it, in UTF-16 units. */
  readonly length: number;
  /** Whether a sentence may end behind it. */
  readonly endsSentence: boolean;
}

/**
 * Cuts a unit whose text is longer than an engine takes, at ends of sentences and never inside of a pair or a marker,
 * unless a sentence or a pair is longer than that by itself: a sentence is cut at white space then, and what a pair holds
 * is cut while the pair stands around its pieces.
 * @param maxCharacters of `text`, in UTF-16 units; a marker alone may be longer
 * @returns the unit itself where it is short enough; the inline texts that the pieces are restored to, one after
 *   another, are that of the whole (`joinInlineTexts`)
 */
export function splitUnit(unit: ProtectedUnit, maxCharacters: number): ProtectedUnit[] {
  return runSteps(splitSteps(unit, maxCharacters));
}

/** Cuts as `splitUnit` does, in steps, so that others can have their turn. */
export function splitSteps(unit: ProtectedUnit, maxCharacters: number): Generator<void, ProtectedUnit[]> {
  return splitNested(unit, maxCharacters, 0);
}

function* splitNested(unit: ProtectedUnit, maxCharacters: number, depth: number): Generator<void, ProtectedUnit[]> {
  if (unit.text.length <= maxCharacters) return [unit];
  if (depth === MAX_DEPTH) {
    const parts: ProtectedUnit[] = [];
    for (const piece of splitAtMarkers(unit)) {
      for (const part of yield* splitNested(piece, maxCharacters, 0)) parts.push(part);
    }
    return parts;
  }
  const pieces = new Pieces(unit);
  let group: Chunk[] = [];
  let length = 0;
  const flush = (count: number): void => {
    pieces.add(group.slice(0, count).flatMap(({ tokens }) => tokens));
    group = group.slice(count);
    length = group.reduce((sum, chunk) => sum + chunk.length, 0);
  };
  for (const chunk of chunksOf(unit, maxCharacters)) {
    yield;
    while (group.length > 0 && length + chunk.length > maxCharacters) {
      // Without an end of a sentence before the bound, the piece ends where the bound is.
      const end = group.findLastIndex(({ endsSentence }) => endsSentence);
      flush(end < 0 ? group.length : end + 1);
    }
    if (chunk.length > maxCharacters && chunk.tokens.length > 1) {
      flush(group.length);
      yield* pieces.addPair(chunk.tokens, (inner) => splitNested(inner, maxCharacters, depth + 1));
      continue;
    }
    group.push(chunk);
    length += chunk.length;
  }
  flush(group.length);
  return pieces.finish();
}

/** Cuts a unit at the marks that nothing is moved over. Joined as above. */
export function splitAtBarriers(unit: ProtectedUnit): ProtectedUnit[] {
  if (!unit.tokens.some((token) => isBarrier(unit, token))) return [unit];
  const pieces = new Pieces(unit);
  let tokens: MarkedToken[] = [];
  let depth = 0;
  for (const token of unit.tokens) {
    if (token.kind === 'open') depth += 1;
    if (token.kind === 'close') depth -= 1;
    if (depth > 0 || !isBarrier(unit, token)) tokens.push(token);
    else {
      pieces.add(tokens);
      pieces.addFixed(token);
      tokens = [];
    }
  }
  pieces.add(tokens);
  return pieces.finish();
}

function isBarrier({ markers }: ProtectedUnit, token: MarkedToken): boolean {
  const marker = token.kind === 'single' ? markers.get(token.number) : undefined;
  return marker?.kind === 'single' && marker.content.kind === 'single' && marker.content.isBarrier === true;
}

/** Cuts a unit at its markers, so that an engine sees none: the last way to translate what it breaks. Joined as above. */
export function splitAtMarkers(unit: ProtectedUnit): ProtectedUnit[] {
  const pieces = new Pieces(unit);
  for (const token of unit.tokens) {
    if (token.kind === 'text') pieces.add([token]);
    else pieces.addFixed(token);
  }
  return pieces.finish();
}

/** Makes units of the parts of one; what stands between them goes with the unit that follows, at the end with the last. */
class Pieces {
  private readonly units: ProtectedUnit[] = [];
  private before: MarkedToken[];

  constructor(private readonly unit: ProtectedUnit) {
    this.before = [...unit.before];
  }

  addFixed(token: MarkedToken): void {
    this.before.push(token);
  }

  add(tokens: readonly MarkedToken[]): void {
    if (tokens.length === 0) return;
    const { markers, notation, branchOf } = this.unit;
    const piece = toProtectedUnit({ tokens, markers, notation, before: this.before, ...(branchOf && { branchOf }) });
    if (!piece.isTranslatable && tokens.every(({ kind }) => kind === 'text')) {
      this.before.push(...tokens);
      return;
    }
    this.units.push(piece);
    this.before = [];
  }

  /** @param tokens the sides of a pair at the ends */
  *addPair(
    tokens: readonly MarkedToken[],
    split: (inner: ProtectedUnit) => Generator<void, ProtectedUnit[]>,
  ): Generator<void, void> {
    const [open, close] = [tokens[0], tokens.at(-1)];
    const { markers, notation, branchOf } = this.unit;
    const inner = toProtectedUnit({
      tokens: tokens.slice(1, -1),
      markers,
      notation,
      before: open ? [...this.before, open] : this.before,
      after: close ? [close] : [],
      ...(branchOf && { branchOf }),
    });
    for (const piece of yield* split(inner)) this.units.push(piece);
    this.before = [];
  }

  finish(): ProtectedUnit[] {
    const rest = [...this.before, ...this.unit.after];
    const last = this.units.at(-1);
    if (!last) return [{ ...this.unit, tokens: [], text: '', isTranslatable: false, before: rest, after: [] }];
    return [...this.units.slice(0, -1), { ...last, after: [...last.after, ...rest] }];
  }
}

/** Outermost pairs with what they hold, single markers, and text sentence by sentence. */
function* chunksOf({ tokens, notation }: ProtectedUnit, maxCharacters: number): Generator<Chunk> {
  const lengthOf = (token: MarkedToken): number =>
    (token.kind === 'text' ? notation.escape(token.text) : notation.write(token.kind, token.number)).length;
  let pair: MarkedToken[] = [];
  let open = 0;
  for (const token of tokens) {
    if (token.kind === 'open') open += 1;
    if (token.kind === 'close') open -= 1;
    if (token.kind === 'open' || pair.length > 0) pair.push(token);
    if (pair.length > 0) {
      if (open > 0) continue;
      yield { tokens: pair, length: pair.reduce((sum, each) => sum + lengthOf(each), 0), endsSentence: false };
      pair = [];
    } else if (token.kind !== 'text') {
      yield { tokens: [token], length: lengthOf(token), endsSentence: false };
    } else {
      for (const { text, endsSentence } of sentencesOf(
        token.text,
        maxCharacters,
        (part) => notation.escape(part).length,
      )) {
        const part = { kind: 'text', text } as const;
        yield { tokens: [part], length: lengthOf(part), endsSentence };
      }
    }
  }
}

/** The sentences of a text with the white space behind them; those that are too long in parts that end at white space. */
function* sentencesOf(
  text: string,
  maxCharacters: number,
  lengthOf: (text: string) => number,
): Generator<{ text: string; endsSentence: boolean }> {
  let start = 0;
  const sentences = sentencesIn(text);
  // One by one: a line may have hundreds of thousands.
  for (let sentence = sentences.next(), next = sentence; !sentence.done; sentence = next) {
    next = sentences.next();
    const last = sentence.value.end;
    const end = next.done ? text.length : last + spaceAt(text, last);
    // The last part of a text may go on behind the marker that follows.
    const endsSentence = !next.done || ENDED.test(text.slice(-ENDED_LOOKED_AT));
    while (end - start > maxCharacters || lengthOf(text.slice(start, end)) > maxCharacters) {
      if (end - start <= 1) break;
      const cut = cutBefore(text, start, Math.min(end, start + maxCharacters), maxCharacters, lengthOf);
      yield { text: text.slice(start, cut), endsSentence: false };
      start = cut;
    }
    if (end > start) yield { text: text.slice(start, end), endsSentence };
    start = end;
  }
  if (start < text.length) yield { text: text.slice(start), endsSentence: false };
}

const SPACE = /\s*/y;
const ENDED = /[.!?…。！？।؟]["'”’)»」]?\s{1,8}$/;
const ENDED_LOOKED_AT = 12;

function spaceAt(text: string, at: number): number {
  SPACE.lastIndex = at;
  return SPACE.exec(text)?.[0].length ?? 0;
}

/** Behind the last white space before a place; without any, at the place, but in the middle of no character. */
function cutBefore(
  text: string,
  start: number,
  place: number,
  maxCharacters: number,
  lengthOf: (text: string) => number,
): number {
  let end = place;
  while (end - start > 1 && lengthOf(text.slice(start, end)) > maxCharacters) end = start + ((end - start) >> 1);
  const part = text.slice(start, end);
  const space = end < text.length && !/\s/.test(text.charAt(end)) ? part.search(/\s\S*$/) : part.length - 1;
  if (space > 0) return start + space + 1;
  const isHalf = /[\uD800-\uDBFF]/.test(part.charAt(part.length - 1)) && part.length > 1;
  return isHalf ? end - 1 : end;
}
