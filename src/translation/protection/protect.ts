import { runSteps } from '../../platform/async/run-steps.js';
import type { InlineText } from '../units/inline-text.js';
import { pairTags } from '../units/pair-tags.js';
import type { PairableTag } from '../units/pair-tags.js';
import { MAX_MESSAGE_DEPTH } from './icu-message.js';
import type { MarkerCount } from './marker-count.js';
import type { MarkedToken, MarkerNotation } from './marker-notation.js';
import { ProtectedPieces } from './protected-pieces.js';
import type { ProtectedPiece } from './protected-pieces.js';
import type { GlossaryTerm, Marker, MessageKind, ProtectedUnit } from './protected-unit.js';
import { TermMatcher } from './term-matcher.js';
import { protectedUnitSteps } from './to-protected-unit.js';

/** What a text is protected for. */
export interface ProtectionOptions {
  readonly notation: MarkerNotation;
  /** Terms whose targets are markers. */
  readonly glossary?: readonly GlossaryTerm[];
  /** Those of them that the engine is told itself: they are no markers, and none is within them. */
  readonly told?: ReadonlySet<GlossaryTerm> | undefined;
  /** Counts them; absent: there may be any number. */
  readonly markers?: MarkerCount | undefined;
}

/** Pieces of one step. */
const STEP = 1_000;

/**
 * Makes the text that an engine sees, in which all that must come back unchanged is markers: the marks of the text, tags,
 * comments, entities, addresses, numbers with units, placeholders of templates, messages of ICU (whose branches are units
 * of their own), pseudonyms, and terms of the glossary. Takes time in proportion to the text; a glossary that is given
 * again as the same list is read once.
 * @throws what the count of markers throws
 */
export function protect(text: InlineText, options: ProtectionOptions): ProtectedUnit {
  return runSteps(protectSteps(text, options));
}

/** Protects as `protect` does, in steps, so that others can have their turn. */
export function protectSteps(text: InlineText, options: ProtectionOptions): Generator<void, ProtectedUnit> {
  return protectNested(text, options, 0, undefined);
}

function* protectNested(
  text: InlineText,
  options: ProtectionOptions,
  depth: number,
  branchOf: MessageKind | undefined,
): Generator<void, ProtectedUnit> {
  const { glossary = [] } = options;
  const pieces = new ProtectedPieces(
    options.notation,
    glossary.length === 0 ? undefined : yield* TermMatcher.ofSteps(glossary),
    options.told,
    branchOf,
    options.markers,
    function* protectBranch(branch, kind) {
      if (depth === MAX_MESSAGE_DEPTH) return branch;
      return yield* protectNested([{ kind: 'text', text: branch }], options, depth + 1, kind);
    },
  );
  for (const part of text) {
    yield* pieces.add(part);
    yield;
  }
  const { tokens, markers } = yield* toTokens(pieces.list);
  return yield* protectedUnitSteps({ tokens, markers, notation: options.notation, ...(branchOf && { branchOf }) });
}

/** Numbers the markers in the order in which they begin. */
function* toTokens(
  pieces: readonly ProtectedPiece[],
): Generator<void, { tokens: MarkedToken[]; markers: Map<number, Marker> }> {
  const pairable = pieces.flatMap((piece, index) => (toPairable(piece) ? [index] : []));
  const partners = yield* pairTags(
    pairable.map((index) => toPairable(pieces[index] as ProtectedPiece) as PairableTag),
    false,
  );
  const partnerOf = new Map(
    pairable.flatMap((index, place) => {
      const partner = pairable[partners[place] ?? -1];
      return partner === undefined ? [] : [[index, partner] as const];
    }),
  );
  const markers = new Map<number, Marker>();
  const numbers = new Map<number, number>();
  const markNumbers = new Map<number, number>();
  const toToken = (piece: ProtectedPiece, index: number): MarkedToken => {
    if (piece.kind === 'text') return piece;
    if (piece.kind === 'close') return { kind: 'close', number: markNumbers.get(piece.mark) ?? 0 };
    const partner = partnerOf.get(index);
    if (partner !== undefined && partner < index) return { kind: 'close', number: numbers.get(partner) ?? 0 };
    const number = markers.size + 1;
    if (piece.kind === 'open') {
      markNumbers.set(piece.mark, number);
      markers.set(number, { kind: 'pair', number, open: piece, close: { kind: 'close', mark: piece.mark } });
      return { kind: 'open', number };
    }
    const end = partner === undefined ? undefined : pieces[partner];
    if (piece.kind === 'kept' && end?.kind === 'kept' && piece.content.kind === 'text' && end.content.kind === 'text') {
      numbers.set(index, number);
      markers.set(number, { kind: 'pair', number, open: piece.content, close: end.content });
      return { kind: 'open', number };
    }
    markers.set(
      number,
      piece.kind === 'kept'
        ? { kind: 'single', number, content: piece.content, ...(piece.term !== undefined && { term: piece.term }) }
        : { kind: 'single', number, content: piece },
    );
    return { kind: 'single', number };
  };
  const tokens: MarkedToken[] = [];
  for (const [index, piece] of pieces.entries()) {
    tokens.push(toToken(piece, index));
    if (index % STEP === STEP - 1) yield;
  }
  yield;
  return { tokens, markers };
}

function toPairable(piece: ProtectedPiece): PairableTag | undefined {
  if (piece.kind === 'open') return { kind: 'markStart' };
  if (piece.kind === 'close') return { kind: 'markEnd' };
  if (piece.kind !== 'kept' || !piece.tag) return undefined;
  return { kind: piece.tag.isEnd ? 'end' : 'start', name: piece.tag.name };
}
