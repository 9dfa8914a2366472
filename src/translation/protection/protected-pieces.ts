import type { TextSpan } from '../../platform/text/text-span.js';
import type { InlinePart } from '../units/inline-text.js';
import { findIcuMessages } from './icu-message.js';
import type { IcuMessage } from './icu-message.js';
import type { MarkerCount } from './marker-count.js';
import type { MarkerNotation } from './marker-notation.js';
import type { GlossaryTerm, MarkerContent, MessageKind, ProtectedUnit } from './protected-unit.js';
import { findProtectedSpans, mayHaveProtectedSpans } from './protected-spans.js';
import type { ProtectedSpan } from './protected-spans.js';
import type { TermMatcher } from './term-matcher.js';

/** A part of a text before its markers have numbers: `kept` is what must come back as its content says. */
export type ProtectedPiece =
  | InlinePart
  | {
      readonly kind: 'kept';
      readonly content: MarkerContent;
      readonly tag?: ProtectedSpan['tag'];
      readonly term?: string;
    };

/** Protects a branch of a message; the text itself where it is kept as it is. */
export type BranchProtector = (branch: string, kind: MessageKind) => Generator<void, ProtectedUnit | string>;

interface KeptSpan extends TextSpan {
  readonly piece: ProtectedPiece;
}

/** What a branch of a message has of its syntax: characters in apostrophes, the number, and braces of anything else. */
const BRANCH_SYNTAX = { select: /'[{}|#][^']{0,200}'|[{}]/g, plural: /'[{}|#][^']{0,200}'|[{}#]/g };

/** Spans of one step. */
const STEP = 1_000;

/** Cuts the parts of a text into what is translated and what is kept. */
export class ProtectedPieces {
  readonly list: ProtectedPiece[] = [];

  constructor(
    private readonly notation: MarkerNotation,
    private readonly terms: TermMatcher | undefined,
    private readonly told: ReadonlySet<GlossaryTerm> | undefined,
    private readonly branchOf: MessageKind | undefined,
    private readonly markers: MarkerCount | undefined,
    private readonly protectBranch: BranchProtector,
  ) {}

  /** Adds a part, in steps. @throws what the count of markers throws */
  *add(part: InlinePart): Generator<void, void> {
    if (part.kind === 'text') yield* this.addText(part.text);
    else {
      this.markers?.add(1);
      this.list.push(part);
    }
  }

  private *addText(text: string): Generator<void, void> {
    if (!this.terms && this.branchOf === undefined && !mayHaveProtectedSpans(text)) {
      if (text !== '') this.list.push({ kind: 'text', text });
      return;
    }
    const messages: KeptSpan[] = [];
    for (const message of yield* findIcuMessages(text)) messages.push(yield* this.keepMessage(text, message));
    const spans: KeptSpan[] = [];
    for (const span of findProtectedSpans(text, this.notation)) {
      this.markers?.add(1);
      spans.push(keep(text, span));
      yield;
    }
    const syntax = this.branchOf === undefined ? [] : syntaxOf(text, this.branchOf);
    const found = this.terms ? yield* this.terms.findSteps(text) : [];
    this.markers?.add(syntax.length);
    const put = found.filter(({ term }) => !this.told?.has(term));
    this.markers?.addTerms(
      put.length,
      put.reduce((sum, { term }) => sum + term.target.length, 0),
    );
    const terms = put.map(({ term, ...span }): KeptSpan => {
      const content = { kind: 'text', text: term.target } as const;
      return { ...span, piece: { kind: 'kept', content, term: text.slice(span.start, span.end) } };
    });
    yield;
    let end = 0;
    let kept = yield* merge(messages, spans);
    for (const others of [terms, syntax]) kept = yield* merge(kept, others);
    for (const { piece, ...span } of kept) {
      if (this.list.length % STEP === 0) yield;
      if (span.start > end) this.list.push({ kind: 'text', text: text.slice(end, span.start) });
      this.list.push(piece);
      end = span.end;
    }
    if (end < text.length) this.list.push({ kind: 'text', text: text.slice(end) });
  }

  private *keepMessage(text: string, message: IcuMessage): Generator<void, KeptSpan> {
    const parts: (string | ProtectedUnit)[] = [];
    let end = message.start;
    for (const branch of message.branches) {
      const kept = yield* this.protectBranch(text.slice(branch.start, branch.end), message.kind);
      parts.push(text.slice(end, branch.start), kept);
      yield;
      end = branch.end;
    }
    parts.push(text.slice(end, message.end));
    return { start: message.start, end: message.end, piece: { kind: 'kept', content: { kind: 'message', parts } } };
  }
}

function keep(text: string, { start, end, tag }: TextSpan & Pick<ProtectedSpan, 'tag'>): KeptSpan {
  const content = { kind: 'text', text: text.slice(start, end) } as const;
  return { start, end, piece: { kind: 'kept', content, ...(tag && { tag }) } };
}

function syntaxOf(text: string, branchOf: MessageKind): KeptSpan[] {
  const found = text.matchAll(branchOf === 'select' ? BRANCH_SYNTAX.select : BRANCH_SYNTAX.plural);
  return Array.from(found, ({ index, 0: { length } }) => keep(text, { start: index, end: index + length }));
}

/** The spans of both lists in order, without those of the second that overlap one of the first. */
function* merge(first: readonly KeptSpan[], second: readonly KeptSpan[]): Generator<void, KeptSpan[]> {
  const merged: KeptSpan[] = [];
  let at = 0;
  for (const span of first) {
    for (let next = second[at]; next && next.start < span.end; next = second[at]) {
      if (next.end <= span.start) merged.push(next);
      at += 1;
    }
    merged.push(span);
    if (merged.length % STEP === 0) yield;
  }
  return [...merged, ...second.slice(at)];
}
