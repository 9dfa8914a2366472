import { BadRequest } from '../../errors.js';
import { BUILTIN_CHAT_MODEL } from '../../inference/domain.js';
import type { ResearchSession } from './research-session.entity.js';
import type { ResearchSessionInput } from './research-session.inputs.js';

const MAX_QUESTION = 2_000;
const MAX_BASES = 20;
const DEFAULT_DEPTH = 2;
const SOURCES_A_ROUND = 10;
const DEFAULT_SECONDS = 900;
const MIN_TOKENS = 1_000;

/** What a session is told when it is made. */
export type ResearchSettings = Pick<
  ResearchSession,
  | 'question'
  | 'depth'
  | 'maxSources'
  | 'model'
  | 'credibilityConfigId'
  | 'knowledgebaseIds'
  | 'maxTokens'
  | 'maxSeconds'
  | 'strict'
  | 'replayOf'
>;

/** The settings of a session, with the defaults for what is left out. @throws BadRequest that names the field */
export function checkedSettings(input: ResearchSessionInput): ResearchSettings {
  const depth = within('depth', input.depth ?? DEFAULT_DEPTH, 1, 3);
  return {
    question: checkedQuestion(input.question),
    depth,
    maxSources: within('maxSources', input.maxSources ?? SOURCES_A_ROUND * depth, 1, 50),
    model: input.model ?? BUILTIN_CHAT_MODEL,
    credibilityConfigId: input.credibilityConfigId ?? null,
    knowledgebaseIds: checkedBases(input.knowledgebaseIds ?? []),
    maxTokens: checkedTokens(input.maxTokens ?? null),
    maxSeconds: within('maxSeconds', input.maxSeconds ?? DEFAULT_SECONDS, 10, 3_600),
    strict: input.strict ?? false,
    replayOf: input.replayOf ?? null,
  };
}

function checkedQuestion(text: string): string {
  const question = text.trim();
  const length = [...question].length;
  if (length < 1 || length > MAX_QUESTION) {
    throw new BadRequest(`question must have 1 to ${MAX_QUESTION} characters.`, 'question');
  }
  if (/[^\P{Cc}\t\n\r]|\p{Cs}/u.test(question)) {
    throw new BadRequest('question must not contain control characters.', 'question');
  }
  if (!/[\p{L}\p{N}]/u.test(question)) throw new BadRequest('question must have a letter or a digit.', 'question');
  return question;
}

function within(field: string, value: number, least: number, most: number): number {
  if (value >= least && value <= most) return value;
  throw new BadRequest(`${field} must be from ${least} to ${most}.`, field);
}

function checkedTokens(tokens: number | null): number | null {
  if (tokens === null || tokens >= MIN_TOKENS) return tokens;
  throw new BadRequest(`maxTokens must be at least ${MIN_TOKENS}.`, 'maxTokens');
}

function checkedBases(ids: readonly string[]): string[] {
  if (ids.length <= MAX_BASES) return [...new Set(ids)];
  throw new BadRequest(`knowledgebaseIds may name ${MAX_BASES} knowledge bases at most.`, 'knowledgebaseIds');
}
