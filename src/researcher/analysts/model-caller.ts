import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallOwner } from '../../access/caller.js';
import { PlatformError } from '../../errors.js';
import type { Models } from '../../inference/domain.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { TokenPurpose } from '../pipeline/token-budget.js';
import { answeredJson } from './answered-json.js';

/** The server of a model has failed again and again. */
export class ModelFailed extends Error {
  constructor(override readonly cause: PlatformError) {
    super(cause.message);
  }
}

/** What a model is asked. */
export interface ModelQuestion {
  readonly prompt: string;
  /** JSON Schema of the answer. */
  readonly schema: JsonObject;
  /** Tokens of the answer at most. */
  readonly maxTokens: number;
  readonly purpose: TokenPurpose;
}

interface ModelCallerParts {
  readonly models: Pick<Models, 'complete'>;
  readonly model: string;
  /** For whom the model is called. */
  readonly owner: CallOwner;
  /** Undefined: as many tokens as it takes. */
  readonly budget?: {
    spend(
      request: JsonObject,
      use: { readonly purpose: TokenPurpose; readonly signal: AbortSignal },
      call: () => Promise<JsonObject>,
    ): Promise<JsonObject>;
  };
  readonly signal: AbortSignal;
}

/** Asks a model for JSON. */
export class ModelCaller {
  /** What is waited for between calls that fail, in milliseconds. Behind the last wait a call is made once more. */
  static waitsMs: readonly number[] = [1_000, 4_000];

  /** A model that takes no schema is asked by words alone. */
  private takesSchema = true;

  constructor(private readonly parts: ModelCallerParts) {}

  /**
   * Asks a model, up to three times where its server fails.
   * @returns undefined where it answers something else
   * @throws ModelFailed; as `Models.complete` does; TokensUsedUp; the reason of the signal
   */
  async ask(question: ModelQuestion): Promise<JsonObject | undefined> {
    const { signal } = this.parts;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return answeredJson(await this.complete(question));
      } catch (error) {
        signal.throwIfAborted();
        if (this.takesSchema && isWithoutSchema(error)) this.takesSchema = false;
        else if (!isPassing(error)) throw error;
        else if (attempt >= ModelCaller.waitsMs.length) throw new ModelFailed(error);
        else await sleep(ModelCaller.waitsMs[attempt], undefined, { signal });
      }
    }
  }

  private complete({ prompt, schema, maxTokens, purpose }: ModelQuestion): Promise<JsonObject> {
    const { models, model, owner, budget, signal } = this.parts;
    const request = {
      model,
      messages: [{ role: 'user', content: prompt }],
      temperature: 0,
      max_tokens: maxTokens,
      ...(this.takesSchema && {
        response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
      }),
    };
    const context = { signal, serverRequestId: randomUUID() };
    const call = () => models.complete(owner, { area: 'researcher', request, context });
    return budget ? budget.spend(request, { purpose, signal }, call) : call();
  }
}

function isWithoutSchema(error: unknown): boolean {
  return error instanceof PlatformError && (error.code === 'capability_not_supported' || error.status === 400);
}

function isPassing(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.status >= 500;
}
