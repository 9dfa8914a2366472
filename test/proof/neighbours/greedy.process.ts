/** One greedy user and its model servers, in a process of their own: what they compute holds up no measurement. */
import { beGreedy } from './be-greedy.js';
import type { GreedyUser, Outcomes } from './be-greedy.js';
import { GreedyClient } from './greedy-client.js';
import { GreedyModels } from './greedy-models.js';
import { GREEDY_WORKS } from './greedy-works.js';

/** What it is told. */
export type GreedyOrder =
  | { readonly order: 'prepare'; readonly work: number; readonly user: GreedyUser }
  | { readonly order: 'begin'; readonly work: number; readonly user: GreedyUser; readonly prepared: string }
  | { readonly order: 'end' };

/** What it tells. */
export type GreedyNews =
  | { readonly url: string }
  | { readonly prepared: string }
  | { readonly outcomes: Outcomes }
  | { readonly failure: string };

const tell = (news: GreedyNews): void => void process.send?.(news);
let running: { readonly ending: AbortController; readonly ended: Promise<Outcomes> } | undefined;

process.on('message', (message: GreedyOrder) => {
  obey(message).catch((error: Error) => tell({ failure: error.stack ?? error.message }));
});
process.on('disconnect', () => process.exit());
tell({ url: (await GreedyModels.start()).url });

async function obey(message: GreedyOrder): Promise<void> {
  if (message.order === 'end') {
    running?.ending.abort();
    return tell({ outcomes: (await running?.ended) ?? [] });
  }
  const work = GREEDY_WORKS[message.work];
  if (!work) throw new Error(`There is no work ${message.work}.`);
  const { origin, token } = message.user;
  const ending = new AbortController();
  if (message.order === 'prepare')
    return tell({ prepared: (await work.setUp?.(new GreedyClient(origin, token, ending.signal))) ?? '' });
  running = { ending, ended: beGreedy(work, message.user, message.prepared, ending.signal) };
  return undefined;
}
