import type { Claim, ProvenSentence, RefusedClaim, SnapshotSource } from '../verification/verification.types.js';

/** What is asked in one part of a report, and what is proven of it. */
export interface ProvenSection {
  readonly question: string;
  readonly claims: readonly ProvenSentence[];
}

/** What is known before a round. */
export interface KnownSoFar {
  /** The questions of earlier rounds without a claim. */
  readonly unanswered: readonly string[];
  /** What claims say to the question of the session that pages of the web prove, and nothing else. */
  readonly told: readonly string[];
  /** What the other ones say: what stands in knowledge bases is not told to the web. */
  readonly toldByBases: readonly string[];
}

/** What is looked for in a round: at most six questions, each once. */
export interface PlannedQuestions {
  readonly questions: readonly string[];
  /** Those that rest on what knowledge bases say: nobody else is asked them. */
  readonly ofBases: readonly string[];
}

/** Thinks for a session: whatever it says is verified by others. The same questions and sources may get other answers. */
export interface Analyst {
  /** Whether it reads many texts at once, and waits for nobody meanwhile. */
  readonly isHeavy: boolean;
  /** Whether it looks further where each question has a claim, since it cannot tell whether that answers it. */
  readonly looksFurther: boolean;
  /**
   * What is looked for in a round.
   * @param round from 1
   * @returns no question where there is nothing more to ask
   * @throws what a model throws; TokensUsedUp; the reason of the signal
   */
  plan(question: string, round: number, known: KnownSoFar): Promise<PlannedQuestions>;
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
