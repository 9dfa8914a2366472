import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { cleanText } from '../../platform/extraction/web/clean-text.js';
import { objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { readableName } from '../../platform/text/name.js';
import { subQuestionsOf } from '../builtin/sub-questions.js';
import type { Claim, RefusedClaim, SnapshotSource } from '../verification/verification.types.js';
import type { Analyst, KnownSoFar, PlannedQuestions, ProvenSection } from './analyst.js';
import { textsOf } from './answered-json.js';
import { claimsQuestion, planQuestion, repairQuestion, sectionQuestion } from './model-questions.js';
import type { ModelCaller } from './model-caller.js';
import { relevantText } from './relevant-text.js';
import { repairableClaims } from './repairable-claims.js';

const MOST_QUESTIONS = 6;
const LONGEST_QUESTION = 300;
const MOST_CLAIMS = 40;
const MOST_QUOTES = 4;
/** Of a source in one call, in UTF-16 units: some 6,000 tokens, which models with small windows still take. */
const MOST_TEXT = 20_000;
const LEAST_TEXT = 2_000;
/** Of what is left of a budget a source may take this part: others are read, too. */
const SHARE = 4;

/** No page is searched by its address. */
const ADDRESS = /\p{L}:\/\/|www\./u;

interface ModelAnalystParts {
  readonly caller: Pick<ModelCaller, 'ask'>;
  /** How many tokens are left for the research; undefined: as many as it takes. */
  readonly tokensLeft?: () => Promise<number | undefined>;
  readonly cooperation: CooperativeYield;
}

/** Has a model ask, claim and write. What sources say stands between fences in its prompts, and is data. */
export class ModelAnalyst implements Analyst {
  readonly isHeavy = false;
  readonly looksFurther = false;

  constructor(private readonly parts: ModelAnalystParts) {}

  /** What sources say is not told to the model here: its questions go to search providers. */
  async plan(question: string, round: number, { unanswered }: KnownSoFar): Promise<PlannedQuestions> {
    return { questions: await this.questions(question, round, unanswered), ofBases: [] };
  }

  group(sources: readonly SnapshotSource[]): (readonly SnapshotSource[])[] {
    return sources.map((source) => [source]);
  }

  async claims(questions: readonly string[], sources: readonly SnapshotSource[]): Promise<Claim[]> {
    const claims: Claim[] = [];
    for (const source of sources) {
      const text = await relevantText(source, questions, await this.textLeft(), this.parts.cooperation);
      const answer = await this.parts.caller.ask(claimsQuestion(questions, source, text));
      claims.push(...claimsIn(answer, questions, source.id));
    }
    return claims;
  }

  async repair(refused: readonly RefusedClaim[], [source]: readonly SnapshotSource[]): Promise<Claim[]> {
    // Claims and source together are no longer than a source is that is asked for claims.
    const most = await this.textLeft();
    const some = repairableClaims(refused, most / 2);
    if (!source || some.length === 0) return [];
    const sections = [...new Set(some.map(({ claim }) => claim.section ?? ''))];
    const quotes = some.flatMap(({ claim }) => claim.quotes.map(({ quote }) => quote));
    const text = await relevantText(source, quotes, most / 2, this.parts.cooperation);
    const answer = await this.parts.caller.ask(repairQuestion(sections, some, source, text));
    return claimsIn(answer, sections, source.id);
  }

  async write({ question, claims }: ProvenSection): Promise<Claim[]> {
    const told = claims.slice(0, MOST_CLAIMS);
    const answer = await this.parts.caller.ask(sectionQuestion(question, told));
    return objectsOf(answer?.sentences).flatMap(({ text, claims: numbers }) => {
      if (typeof text !== 'string') return [];
      const named = Array.isArray(numbers) ? numbers.slice(0, MOST_CLAIMS) : [];
      const used = [...new Set(named)].flatMap((number) => told[Number(number) - 1] ?? []);
      const quotes = used.flatMap((claim) => claim.quotes.map(({ source, quote }) => ({ source: source.id, quote })));
      return [{ text, section: question, quotes }];
    });
  }

  private async questions(question: string, round: number, unanswered: readonly string[]): Promise<string[]> {
    const answer = await this.parts.caller.ask(planQuestion(question, unanswered));
    const asked = textsOf(answer?.questions, MOST_QUESTIONS)
      .map((one) => readableName(cleanText(one), LONGEST_QUESTION))
      .filter((one) => /[\p{L}\p{N}]/u.test(one) && !ADDRESS.test(one))
      .map(toQuestion);
    const questions = round === 1 ? [question, ...asked] : asked;
    if (asked.length === 0) return round === 1 ? subQuestionsOf(question) : [];
    return [...new Set(questions)].slice(0, MOST_QUESTIONS);
  }

  private async textLeft(): Promise<number> {
    const left = await this.parts.tokensLeft?.();
    return left === undefined ? MOST_TEXT : Math.min(MOST_TEXT, Math.max(LEAST_TEXT, Math.floor(left / SHARE)));
  }
}

/** They stand above the parts of the report, where nothing is told that is not proven. */
function toQuestion(text: string): string {
  return /[?？]$/.test(text) ? text : `${text.replace(/[\s.!:;…]{1,20}$/, '')}?`;
}

/** All that a model claims of one source, so that what is not looked at is counted; a question that there is not is none. */
function claimsIn(answer: JsonObject | undefined, questions: readonly string[], sourceId: string): Claim[] {
  return objectsOf(answer?.claims).flatMap(({ text, question, quotes }) => {
    const section = questions[Number(question) - 1] ?? questions[0];
    if (typeof text !== 'string' || section === undefined) return [];
    return [{ text, section, quotes: textsOf(quotes, MOST_QUOTES).map((quote) => ({ source: sourceId, quote })) }];
  });
}
