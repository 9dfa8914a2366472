import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { extractClaims } from '../builtin/extract-claims.js';
import { followUpsOf } from '../builtin/follow-ups.js';
import { subQuestionsOf } from '../builtin/sub-questions.js';
import type { Claim, SnapshotSource } from '../verification/verification.types.js';
import type { Analyst, KnownSoFar, PlannedQuestions, ProvenSection } from './analyst.js';

/** Sentences that answer the question at most; its sub-questions have fewer. */
const SENTENCES = 12;
const MOST_QUESTIONS = 6;

/** Answers without a model: its sentences are those of the sources. */
export class BuiltinAnalyst implements Analyst {
  readonly isHeavy = true;
  readonly looksFurther = true;

  constructor(private readonly cooperation: CooperativeYield) {}

  async plan(
    question: string,
    round: number,
    { unanswered, told, toldByBases }: KnownSoFar,
  ): Promise<PlannedQuestions> {
    if (round === 1) return { questions: subQuestionsOf(question), ofBases: [] };
    // Of what was not found other words are looked for: those that sources use, and those of templates.
    const others = [...followUpsOf(question, told), ...unanswered.flatMap((one) => subQuestionsOf(one).slice(1))];
    const ofBases = followUpsOf(question, toldByBases).filter((one) => !others.includes(one));
    const questions = [...new Set(others)].filter((one) => !unanswered.includes(one));
    return { questions: questions.slice(0, MOST_QUESTIONS - ofBases.length), ofBases };
  }

  /** How rare a word is shows over all sources. */
  group(sources: readonly SnapshotSource[]): (readonly SnapshotSource[])[] {
    return sources.length === 0 ? [] : [sources];
  }

  async claims(questions: readonly string[], sources: readonly SnapshotSource[]): Promise<Claim[]> {
    const answers = await extractClaims(questions, sources, SENTENCES, this.cooperation);
    return answers.flatMap(({ claims }) => claims);
  }

  async repair(): Promise<Claim[]> {
    return [];
  }

  async write({ question, claims }: ProvenSection): Promise<Claim[]> {
    return claims.map(({ text, quotes }) => ({
      text,
      section: question,
      quotes: quotes.map(({ source, quote }) => ({ source: source.id, quote })),
    }));
  }
}
