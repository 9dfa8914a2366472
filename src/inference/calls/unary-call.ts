import type { Logger } from 'pino';
import type { MeteredUsage, OpenCall } from '../../metering/metering.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { charged, estimateAnswer, NO_USAGE, UNASKED } from './usage-estimate.js';
import { toMeteredUsage } from './usage.types.js';

/** How a call with one JSON answer is made. */
export interface UnaryCall {
  /** The request, for the estimate of its tokens. */
  readonly request: JsonObject;
  /** Opens the record of the call; before the upstream sees anything. */
  begin(): Promise<OpenCall>;
  /** Asks the upstream, and throws where its answer makes no sense. */
  ask(): Promise<JsonObject>;
  /** Of the request. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** A JSON answer whose call is recorded. */
export interface UnaryResult {
  readonly answer: JsonObject;
  readonly callId: string;
  readonly usage: MeteredUsage;
}

/**
 * Makes a call with one JSON answer: its record is begun before the upstream is asked, and finished exactly once.
 * Resolves when the record is durable.
 * @throws what `begin` and `ask` throw, or Unavailable where the record cannot be written
 */
export async function runUnaryCall({ request, begin, ask, signal, log }: UnaryCall): Promise<UnaryResult> {
  const call = await begin();
  let answer: JsonObject;
  let asked = false;
  try {
    // Who left while the record was begun has used nothing.
    signal.throwIfAborted();
    asked = true;
    answer = await ask();
  } catch (error) {
    const outcome = signal.aborted ? 'cancelled' : 'failed';
    await finishUnanswered(call, asked ? request : undefined, outcome, log);
    throw error;
  }
  const usage = toMeteredUsage(answer.usage) ?? charged(call, await estimateAnswer(request, answer));
  await call.finish(usage, 'completed');
  return { answer, callId: call.id, usage };
}

/**
 * A caller who left has used the prompt; one whom the upstream failed, nothing. Never fails.
 * @param asked what the upstream was asked, if it was
 */
async function finishUnanswered(
  call: OpenCall,
  asked: JsonObject | undefined,
  outcome: 'cancelled' | 'failed',
  log: Logger,
): Promise<void> {
  try {
    await call.finish(await unansweredUsage(call, asked, outcome), outcome);
  } catch (error) {
    log.warn({ err: error }, 'the end of a call is not recorded yet');
  }
}

async function unansweredUsage(
  call: OpenCall,
  asked: JsonObject | undefined,
  outcome: 'cancelled' | 'failed',
): Promise<MeteredUsage> {
  if (!asked) return UNASKED;
  return outcome === 'failed' ? NO_USAGE : charged(call, await estimateAnswer(asked, {}));
}
