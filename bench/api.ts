import type { Target } from './load.js';

/** A call of the server's interface, and what its answer is. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
  /** The status that it must be answered with; default: any that is good. */
  readonly status?: number;
}

/** Makes a call, one of those around what is measured. @throws Error where it is answered otherwise than expected */
export async function callApi<Answer>(target: Target, { method, path, body, status }: ApiCall): Promise<Answer> {
  const response = await fetch(target.origin + path, {
    method,
    headers: { ...target.headers, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const isExpected = status === undefined ? response.ok : response.status === status;
  if (!isExpected) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** A sign-in's tokens. */
export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Signs in with a password. */
export function signIn(origin: string, account: { email: string; password: string }): Promise<TokenPair> {
  return callApi({ origin, headers: {} }, { method: 'POST', path: '/v1/auth/login', body: account });
}

/** Makes a personal access token that may do anything its user may. */
export async function makeApiToken(user: Target): Promise<string> {
  const body = { name: 'bench', scopes: ['*'] };
  return (await callApi<{ token: string }>(user, { method: 'POST', path: '/v1/api-tokens', body })).token;
}

/** The same server, asked with this token. */
export function bearer(origin: string, token: string): Target {
  return { origin, headers: { authorization: `Bearer ${token}` } };
}
