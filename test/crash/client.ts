import { ADMIN } from './replica.js';
import type { Life, Replica } from './replica.js';
import { MODEL } from './upstream.js';
import type { Pace } from './upstream.js';
import type { AnyJson } from '../support/probes/any-json.js';

/** Whatever takes longer hangs. */
const LONGEST_MS = 60_000;

/** A call that a client makes. */
export interface Call {
  /** Its prompt, and its request id where it has none of its own. */
  readonly mark: string;
  readonly requestId?: string;
  readonly idempotencyKey?: string;
  /** Whether the result has the answer; with a key it always has. */
  readonly keepsAnswer?: boolean;
  readonly stream: boolean;
  readonly pace: Pace;
  /** The client goes away after so long. */
  readonly leavesAfterMs?: number;
}

/**
 * What a client saw of a call. `whole`: a JSON answer, or a stream with its end mark. `cut`: a stream that ended
 * without one. `refused`: any other status than 200. `lost`: no answer, or not the end of its bytes.
 */
export type Sight = 'whole' | 'cut' | 'refused' | 'lost' | 'left';

/** A call, and what became of it. */
export interface CallResult {
  readonly call: Call;
  readonly life: Life;
  readonly sight: Sight;
  readonly status?: number;
  /** Why it was refused or lost. */
  readonly reason?: string;
  /** The whole answer, where it is recorded. */
  readonly answer?: string;
  /** What the client was told, where it was JSON. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
  readonly milliseconds: number;
}

/** An answer with its body read. */
export interface Answer {
  readonly status: number;
  readonly body: AnyJson;
}

/** Sends a request to one process. */
export async function request(
  { origin }: Life,
  method: string,
  path: string,
  options: { readonly token?: string; readonly body?: object; readonly mark?: string } = {},
): Promise<Answer> {
  const response = await fetch(origin + path, {
    method,
    headers: headersOf(options.token, options.mark),
    ...(options.body && { body: JSON.stringify(options.body) }),
    signal: AbortSignal.timeout(LONGEST_MS),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** Signs the administrator in. */
export async function login(replica: Replica): Promise<string> {
  const { status, body } = await request(lifeOf(replica), 'POST', '/v1/auth/login', { body: ADMIN });
  if (status !== 200) throw new Error(`The administrator could not sign in: ${JSON.stringify(body)}`);
  return body.access_token as string;
}

/** @throws Error while it does not serve */
export function lifeOf(replica: Replica): Life {
  if (!replica.life) throw new Error(`${replica.name} does not serve.`);
  return replica.life;
}

/** Makes one call; never throws. */
export async function makeCall(life: Life, token: string, call: Call): Promise<CallResult> {
  const startedAt = performance.now();
  const leaving = new AbortController();
  const timer = call.leavesAfterMs === undefined ? undefined : setTimeout(() => leaving.abort(), call.leavesAfterMs);
  const result = (sight: Sight, members: Partial<CallResult> = {}): CallResult => ({
    call,
    life,
    sight,
    milliseconds: performance.now() - startedAt,
    ...members,
  });
  try {
    const response = await fetch(`${life.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        ...headersOf(token, call.requestId ?? call.mark),
        ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
      },
      body: JSON.stringify({
        model: MODEL,
        messages: [{ role: 'user', content: call.mark }],
        stream: call.stream,
        pace: call.pace,
      }),
      signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(LONGEST_MS)]),
    });
    const text = await response.text();
    const { status } = response;
    if (status !== 200) return result('refused', { status, reason: text });
    const answer = call.idempotencyKey === undefined && !call.keepsAnswer ? undefined : text;
    if (!call.stream) return result('whole', { status, answer, usage: JSON.parse(text).usage });
    if (text.endsWith('data: [DONE]\n\n')) return result('whole', { status, answer });
    return result('cut', { status, reason: text.slice(-300) });
  } catch (error) {
    if (leaving.signal.aborted) return result('left');
    const { message, cause } = error as Error;
    return result('lost', { reason: `${message}: ${String(cause)}` });
  } finally {
    clearTimeout(timer);
  }
}

function headersOf(token: string | undefined, mark: string | undefined): Record<string, string> {
  return {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(mark !== undefined && { 'x-request-id': mark }),
  };
}
