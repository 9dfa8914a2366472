import type { Platform, RestAnswer } from '../../support/servers/platform.js';
import { sseResults } from '../../support/builders/graphql-clients.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import type { Answer } from './callers.js';

/** Who sends something. */
export interface Sender {
  readonly platform: Platform;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request of REST. */
export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** An operation of GraphQL. */
export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The response key of its root field. */
  readonly key: string;
  readonly isSubscription: boolean;
  /** The subscription has no event until something happens. */
  readonly isSilent?: boolean;
}

/** Sends a request of REST. */
export async function askRest(
  { platform, token, headers }: Sender,
  { method, path, body }: RestRequest,
): Promise<Answer> {
  const answer = await platform.request(method, path, { token, headers, body, redirect: 'manual' });
  return { outcome: String(answer.status), body: answer.body };
}

/** Sends an operation of GraphQL: a subscription over graphql-sse, of which the first event counts. */
export async function askGraphql(sender: Sender, request: GraphqlRequest): Promise<Answer> {
  const { query, variables, key } = request;
  const body = request.isSubscription
    ? await firstResult(sender, request)
    : (await post(sender, { query, variables })).body;
  const error = body.errors?.[0];
  const value = body.data?.[key];
  if (error) return { outcome: String(error.extensions?.status), body };
  // `_entities` answers a list.
  return { outcome: value === null || value?.[0] === null ? 'nul' : 'ok', body };
}

function post({ platform, token, headers }: Sender, body: object): Promise<RestAnswer> {
  return platform.request('POST', '/graphql', { token, headers, body });
}

async function firstResult(sender: Sender, { query, variables, isSilent, key }: GraphqlRequest): Promise<AnyJson> {
  const { platform, token } = sender;
  const leaving = new AbortController();
  const response = await platform.send('POST', '/graphql', {
    token,
    headers: { ...sender.headers, accept: 'text/event-stream' },
    body: { query, variables },
    signal: leaving.signal,
  });
  try {
    if (response.headers.get('content-type')?.includes('json')) return (await response.json()) as AnyJson;
    // A refusal is written with the head, so it is here before another answer is.
    const silence = isSilent ? platform.request('GET', '/health').then(() => ({ data: { [key]: {} } })) : undefined;
    return await Promise.race([readFirst(response), ...(silence ? [silence] : [])]);
  } finally {
    leaving.abort();
  }
}

async function readFirst(response: Response): Promise<AnyJson> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const [first] = text.includes('\n\n') ? sseResults(text.slice(0, text.lastIndexOf('\n\n') + 1)) : [];
      if (first) return first;
    }
  } catch (error) {
    // Where nobody waits for it any more.
    if ((error as Error).name === 'AbortError') return {};
    throw error;
  }
  throw new Error(`The stream ended without a result: ${text}`);
}
