import type { DataSource } from 'typeorm';
import type { JsonObject } from '../../platform/json/json-object.js';
import { isJsonObject } from '../../platform/json/json-object.js';

/** What is kept of the tokens of a session for its report. */
const KEPT_FOR_REPORT = 0.1;
/** What chat templates put around a message, in tokens. */
const AROUND_MESSAGE = 16;

const RESERVE = `
  UPDATE research_sessions SET used_tokens = used_tokens + $2
  WHERE id = $1 AND (max_tokens IS NULL OR used_tokens + $2 <= max_tokens * $3::double precision) RETURNING id`;
const SETTLE = `
  UPDATE research_sessions SET used_tokens = used_tokens - $2 + $3 + $4,
    input_tokens = input_tokens + $3, output_tokens = output_tokens + $4
  WHERE id = $1`;
const LEFT = `
  SELECT max_tokens * $2::double precision - used_tokens AS "left" FROM research_sessions WHERE id = $1`;

/** The tokens of a session are used up. */
export class TokensUsedUp extends Error {}

/** What tokens are for: those that are kept for the report are not used before. */
export type TokenPurpose = 'research' | 'report';

/**
 * The tokens that one session may use. What a call may use at most is taken before it is made, and given back when it is
 * known what it has used: of a call that its process died of, all stays taken.
 */
export class TokenBudget {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessionId: string,
  ) {}

  /** How many tokens are left for a purpose; undefined: as many as it takes. */
  async left(purpose: TokenPurpose): Promise<number | undefined> {
    const [row] = await this.dataSource.query<{ left: number | null }[]>(LEFT, [this.sessionId, shareOf(purpose)]);
    return row?.left ?? undefined;
  }

  /**
   * Makes a call within the budget.
   * @param request of a chat, with `max_tokens`
   * @param signal of the call: one that is left has used what nobody tells, so that all stays taken
   * @returns its answer
   * @throws TokensUsedUp where it might use more than is left; what the call throws
   */
  async spend(
    request: JsonObject,
    { purpose, signal }: { readonly purpose: TokenPurpose; readonly signal: AbortSignal },
    call: () => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const most = mostTokensOf(request);
    const values = [this.sessionId, most, shareOf(purpose)];
    const [rows] = await this.dataSource.query<[object[], number]>(RESERVE, values);
    if (rows.length === 0) throw new TokensUsedUp();
    let answer: JsonObject;
    try {
      answer = await call();
    } catch (error) {
      if (!signal.aborted) await this.settle(most, 0, 0);
      throw error;
    }
    const { prompt_tokens: input, completion_tokens: output } = isJsonObject(answer.usage) ? answer.usage : {};
    await this.settle(most, countOf(input), countOf(output));
    return answer;
  }

  private async settle(taken: number, input: number, output: number): Promise<void> {
    await this.dataSource.query(SETTLE, [this.sessionId, taken, input, output]);
  }
}

/** What a call may use at most: no tokenizer makes more tokens of a text than it has bytes. */
export function mostTokensOf(request: JsonObject): number {
  const messages = Array.isArray(request.messages) ? request.messages.length : 0;
  return Buffer.byteLength(JSON.stringify(request)) + messages * AROUND_MESSAGE + countOf(request.max_tokens);
}

function shareOf(purpose: TokenPurpose): number {
  return purpose === 'report' ? 1 : 1 - KEPT_FOR_REPORT;
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.ceil(value) : 0;
}
