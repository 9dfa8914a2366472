/** What a model claims, and the words of sources that it says prove it. */
export interface Claim {
  readonly text: string;
  readonly quotes: readonly { readonly source: string; readonly quote: string }[];
  /** The title of the part of the report that it belongs to. */
  readonly section?: string;
}

/** A source that was read, with the text that is kept of it. */
export interface SnapshotSource {
  readonly id: string;
  readonly url: string;
  readonly title: string | null;
  readonly text: string;
  /** As BCP 47 tag; null where it is not known. */
  readonly language: string | null;
}

/** Whether a sentence stands in its source word for word, or was compared with it by rules. */
export type Support = 'verbatim' | 'checked';

/** Whole sentences of a source's text, by their place in it in UTF-16 units. */
export interface ProvenQuote {
  readonly source: SnapshotSource;
  readonly quote: string;
  readonly start: number;
  readonly end: number;
}

/** A claim that its quotes prove. */
export interface ProvenSentence {
  readonly text: string;
  readonly section: string;
  readonly support: Support;
  readonly quotes: readonly ProvenQuote[];
}

/** Why a claim is not in a report. */
export type DropReason =
  | 'no_quote'
  | 'unknown_source'
  | 'quote_not_found'
  | 'quote_too_short'
  | 'quote_too_long'
  | 'empty'
  | 'too_long'
  | 'too_many_claims'
  | 'time'
  | 'not_verbatim'
  | 'language'
  | 'address'
  | 'words'
  | 'number'
  | 'name'
  | 'negation'
  | 'quantifier'
  | 'direction'
  | 'context'
  | 'roles';

/** A claim that is not proven, and why. */
export interface RefusedClaim {
  readonly claim: Claim;
  readonly reason: DropReason;
}

/** A citation of a report, as it goes over the wire. */
export interface RawCitation {
  /** The number that stands in the text, from 1. */
  readonly index: number;
  readonly source_id: string;
  readonly url: string;
  readonly quote: string;
  /** The quote's place in the source's stored text, in UTF-16 units: from `start` up to, and without, `end`. */
  readonly start: number;
  readonly end: number;
}

/** The part of a report that is proven, as it goes over the wire. */
export interface RawReport {
  /** Markdown. */
  readonly text: string;
  readonly sentences: readonly {
    readonly text: string;
    readonly support: Support;
    /** Numbers of citations. */
    readonly citations: readonly number[];
  }[];
  readonly citations: readonly RawCitation[];
}
