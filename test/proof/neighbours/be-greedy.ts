import { GreedyClient } from './greedy-client.js';
import type { GreedyWork } from './greedy-work.js';

/** Whose greed it is. */
export interface GreedyUser {
  readonly origin: string;
  readonly token: string;
}

/** How often turns went in which way, the most frequent first. */
export type Outcomes = readonly (readonly [outcome: string, count: number])[];

/** Does a work, as often at once as it says, again and again until the signal. */
export async function beGreedy(
  work: GreedyWork,
  { origin, token }: GreedyUser,
  prepared: string,
  signal: AbortSignal,
): Promise<Outcomes> {
  const client = new GreedyClient(origin, token, signal);
  const counts = new Map<string, number>();
  const repeat = async (): Promise<void> => {
    while (!signal.aborted) {
      const outcome = await work.turn(client, prepared).catch(async (error: Error) => {
        await client.pause(200);
        return `no answer (${(error.cause as Error | undefined)?.message ?? error.message})`;
      });
      // What it was in the middle of tells nothing.
      if (!signal.aborted) counts.set(String(outcome), (counts.get(String(outcome)) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: work.copies }, repeat));
  return [...counts].sort(([, one], [, other]) => other - one);
}
