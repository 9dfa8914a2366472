import type { Claim, ProvenSentence, RefusedClaim, SnapshotSource } from '../verification/verification.types.js';

/** What is asked in one part of a report, and what is proven of it. */
export interface ProvenSection {
  readonly question: string;
  readonly claims: readonly ProvenSentence[];
}

/** Thinks for a session: whatever it says is verified by others. The same questions and sources may get other answers. */
export interface Analyst {
  /**
   * What is looked for in a round.
   * @param round from 1
   * @param unanswered the questions of earlier rounds without a claim
   * @returns at most six questions, each once; none where there is nothing more to ask
   * @throws what a model throws; TokensUsedUp; the reason of the signal
   */
  plan(question: string, round: number, unanswered: readonly string[]): Promise<string[]>;
  /** Sources in the groups that are read together. */
  group(sources: readonly SnapshotSource[]): (readonly SnapshotSource[])[];
  /** What a group of sources says to questions; each claim names its question as its section. @throws as `plan` does */
  claims(questions: readonly string[], sources: readonly SnapshotSource[]): Promise<Claim[]>;
  /**
   * Claims once more in place of those that were refused.
   * @returns none where that makes no sense
   * @throws as `plan` does
   */
  repair(refused: readonly RefusedClaim[], sources: readonly SnapshotSource[]): Promise<Claim[]>;
  /** The sentences of a part of the report, made of its claims and with their quotes. @throws as `plan` does */
  write(section: ProvenSection): Promise<Claim[]>;
}
