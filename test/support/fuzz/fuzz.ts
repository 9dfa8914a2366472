import { Agent } from 'node:http';
import fc from 'fast-check';
import type { OpenapiDocument } from '../../../src/rest/openapi/openapi.js';
import { ApiDescription } from '../probes/api-description.js';
import type { LoopGuard } from './attacks.js';
import { fuzzRequests } from './requests.js';
import type { FuzzRequest } from './requests.js';
import { send } from './send.js';

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
  /** How long any answer may take; left out: 5 s. */
  readonly answerMs?: number;
  /** Left out: it is not looked at whether others have to wait. */
  readonly guard?: LoopGuard;
}

/** Sent at once: what breaks only beside others is found, too. */
const TOGETHER = 5;

/**
 * Sends requests made from the description, and holds every answer against it: in time, no 5xx, a described status, and
 * a body of the described shape, while no other request has to wait.
 * @returns how many requests were sent
 * @throws Error with the smallest request that breaks a promise, and the seed and path that lead to it
 */
export async function fuzz(options: FuzzOptions): Promise<number> {
  const api = new ApiDescription(options.document);
  const agent = new Agent({ keepAlive: true });
  const { guard } = options;
  const { token, serviceKey } = options.credentials;
  const requests = fuzzRequests(api.operations, ({ path }) => (path === '/metrics' ? serviceKey : token));
  const disturbances: string[] = [];
  let sent = 0;
  const property = fc.asyncProperty(
    fc.array(requests, { minLength: 1, maxLength: TOGETHER, size: 'max' }),
    async (group) => {
      sent += group.length;
      const ask = () => Promise.all(group.map((request) => problemOf(api, agent, options, request)));
      const { value: problems, disturbance } = guard
        ? await guard.watch(ask)
        : { value: await ask(), disturbance: undefined };
      const found = problems.filter((problem) => problem !== undefined);
      // What is smaller would not disturb, so nothing is gained by looking for it.
      const again = disturbance && (await guard?.confirm(ask));
      if (again !== undefined) disturbances.push(`${again}: ${fc.stringify(group).slice(0, 2_000)}`);
      if (found.length > 0) throw new Error(found.join('\n'));
    },
  );
  try {
    const { requests: wanted, seed, path } = options;
    // Groups have half of the most requests on average.
    const numRuns = Math.ceil((2 * wanted) / (TOGETHER + 1));
    await fc.assert(property, { numRuns, seed, path, includeErrorInReport: true });
    if (disturbances.length > 0) throw new Error(disturbances.join('\n'));
    return sent;
  } finally {
    agent.destroy();
  }
}

async function problemOf(
  api: ApiDescription,
  agent: Agent,
  { url, answerMs }: FuzzOptions,
  request: FuzzRequest,
): Promise<string | undefined> {
  const { operation, path } = request;
  const about = `${operation.id} ${operation.method} ${path.slice(0, 200)}`;
  try {
    const answer = await send(agent, url, { ...request, method: operation.method }, answerMs);
    const problem = answer.status >= 500 ? 'the server failed' : api.problemOf(operation, answer);
    return problem && `${about}: ${problem}: ${answer.status} ${answer.text.slice(0, 300)}`;
  } catch (error) {
    return `${about}: ${(error as Error).message}`;
  }
}
