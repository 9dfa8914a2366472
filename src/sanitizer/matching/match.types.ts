/** What personal data a rule looks for. */
export const MATCH_KINDS = ['email', 'phone', 'credit_card', 'iban', 'ip', 'person_id', 'regex', 'words'] as const;

/** One kind of personal data. */
export type MatchKind = (typeof MATCH_KINDS)[number];

/** What one rule of a policy looks for. */
export interface MatchRule {
  readonly kind: MatchKind;
  /** Of the kind `regex` alone: RE2 syntax, 1 to 1,000 characters. */
  readonly pattern?: string | null;
  /** Of the kind `words` alone: 1 to 1,000 words or phrases of 1 to 200 characters; case does not matter. */
  readonly words?: readonly string[] | null;
  /** Of the kind `phone` alone: the country (ISO 3166-1 alpha-2) whose numbers are found without their +. */
  readonly region?: string | null;
}

/** A place of a text at which one rule matched, or several that overlap did. */
export interface TextMatch {
  /** Where it begins, in UTF-16 units. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
  /** The positions, in the list of rules, of those that matched there; the one that comes first in the list is first. */
  readonly rules: readonly number[];
}

/** What is decided of a text. */
export interface ScannedText {
  /** As it was written. Nothing that follows changes what is in it. */
  readonly text: string;
  /** Sorted, without overlaps, with places in `text`. */
  readonly matches: readonly TextMatch[];
}
