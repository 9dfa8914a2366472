import { Agent, request as httpRequest } from 'node:http';
import fc from 'fast-check';
import type { OpenapiDocument } from '../../src/rest/openapi.js';
import { ApiDescription } from './api-description.js';
import type { GivenAnswer } from './api-description.js';
import { fuzzRequests } from './fuzz-requests.js';
import type { FuzzRequest } from './fuzz-requests.js';

/** What is fuzzed, and how much. */
export interface FuzzOptions {
  readonly url: string;
  readonly document: OpenapiDocument;
  /** A valid token of an administrator, and a service key. */
  readonly credentials: { readonly token: string; readonly serviceKey: string };
  readonly requests: number;
  readonly seed: number;
  /** Of a run that failed: begins at its last request. */
  readonly path?: string;
}

const ANSWER_MILLISECONDS = 5_000;
/** Sent at once: what breaks only beside others is found, too. */
const TOGETHER = 5;

/**
 * Sends requests made from the description, and holds every answer against it: within 5 s, no 5xx, a described status,
 * and a body of the described shape.
 * @returns how many requests were sent
 * @throws Error with the smallest request that breaks a promise, and the seed and path that lead to it
 */
export async function fuzz(options: FuzzOptions): Promise<number> {
  const api = new ApiDescription(options.document);
  const agent = new Agent({ keepAlive: true });
  const { token, serviceKey } = options.credentials;
  const requests = fuzzRequests(api.operations, ({ path }) => (path === '/metrics' ? serviceKey : token));
  let sent = 0;
  const property = fc.asyncProperty(
    fc.array(requests, { minLength: 1, maxLength: TOGETHER, size: 'max' }),
    async (group) => {
      sent += group.length;
      const problems = await Promise.all(group.map((request) => problemOf(api, agent, options.url, request)));
      const found = problems.filter((problem) => problem !== undefined);
      if (found.length > 0) throw new Error(found.join('\n'));
    },
  );
  try {
    const { requests: wanted, seed, path } = options;
    // Groups have half of the most requests on average.
    const numRuns = Math.ceil((2 * wanted) / (TOGETHER + 1));
    await fc.assert(property, { numRuns, seed, path, includeErrorInReport: true });
    return sent;
  } finally {
    agent.destroy();
  }
}

async function problemOf(
  api: ApiDescription,
  agent: Agent,
  url: string,
  request: FuzzRequest,
): Promise<string | undefined> {
  const { operation, path } = request;
  const about = `${operation.id} ${operation.method} ${path.slice(0, 200)}`;
  try {
    const answer = await send(agent, url, request);
    const problem = answer.status >= 500 ? 'the server failed' : api.problemOf(operation, answer);
    return problem && `${about}: ${problem}: ${answer.status} ${answer.text.slice(0, 300)}`;
  } catch (error) {
    return `${about}: ${(error as Error).message}`;
  }
}

function send(agent: Agent, url: string, { operation, path, headers, body }: FuzzRequest): Promise<GivenAnswer> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(ANSWER_MILLISECONDS);
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const request = httpRequest(`${url}/`, {
      agent,
      method: operation.method,
      path,
      headers: { ...headers, ...length },
      signal,
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, contentType: response.headers['content-type'] ?? null, text });
      });
    });
    request.end(body);
  });
}
