import type { ContradictingSide } from '../contradictions/find-contradictions.js';
import type { RawReport } from '../verification/verification.types.js';

/** What sources say against each other, as it goes over the wire. */
export interface RawContradiction {
  readonly kind: 'number' | 'negation';
  readonly sides: readonly {
    readonly weight: ContradictingSide['weight'];
    readonly statements: readonly { readonly text: string; readonly source_id: string; readonly credibility: number }[];
  }[];
}

/** What was asked and is not answered, as it goes over the wire. */
export interface RawUnanswered {
  readonly question: string;
  /** `not_found`, or the limit that was used up: `max_tokens`, `max_seconds`. */
  readonly reason: 'not_found' | 'max_tokens' | 'max_seconds';
}

/** A report, as it goes over the wire. */
export interface RawResearchReport extends RawReport {
  readonly contradictions: readonly RawContradiction[];
  readonly unanswered: readonly RawUnanswered[];
  /** Claims without proof: how many, and how many for each reason. */
  readonly dropped: { readonly count: number; readonly reasons: Readonly<Record<string, number>> };
}
