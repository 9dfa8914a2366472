import { chooseInstance } from '../src/inference/backends/routing/instance-choice.js';
import type { LoadBalancingCandidate } from '../src/inference/backends/routing/instance-choice.js';
import { numbers } from './numbers.js';
import type { Section } from './section.js';

const INSTANCES = 8;
const CONVERSATIONS = 20_000;
/** Conversations that one instance keeps warm; the least recently used makes room. */
const CACHED = 128;
const OPEN = 640;
const MEAN_TURNS = 8;
/** Calls that run at once. */
const CONCURRENT = 64;

type Choice = (instances: readonly Instance[], conversation: string, call: number) => Instance | undefined;

class Instance implements LoadBalancingCandidate {
  readonly weight = 1;
  readonly priority = 0;
  readonly hasRoom = true;
  load = 0;
  private readonly cache = new Map<string, true>();

  constructor(readonly id: string) {}

  /** Answers a turn; whether the conversation was warm. */
  begin(conversation: string): boolean {
    this.load += 1;
    const warm = this.cache.delete(conversation);
    this.cache.set(conversation, true);
    const [oldest] = this.cache.keys();
    if (this.cache.size > CACHED && oldest !== undefined) this.cache.delete(oldest);
    return warm;
  }
}

function simulate(choose: Choice): { hitRate: number; highestShare: number } {
  const random = numbers();
  const instances = Array.from({ length: INSTANCES }, (_, index) => new Instance(`gpu-${index}`));
  const running: Instance[] = [];
  const open: { id: string; turns: number; answered: number }[] = [];
  let started = 0;
  let calls = 0;
  let laterTurns = 0;
  let hits = 0;
  let highestShare = 1;
  while (started < CONVERSATIONS) {
    while (open.length < OPEN) {
      open.push({
        id: `conversation ${started}`,
        turns: 1 + Math.floor(-MEAN_TURNS * Math.log(random())),
        answered: 0,
      });
      started += 1;
    }
    const at = Math.floor(random() * open.length);
    const conversation = open[at] as (typeof open)[number];
    const instance = choose(instances, conversation.id, calls) as Instance;
    const warm = instance.begin(conversation.id);
    if (conversation.answered > 0) {
      laterTurns += 1;
      if (warm) hits += 1;
    }
    calls += 1;
    conversation.answered += 1;
    if (conversation.answered === conversation.turns) open.splice(at, 1);
    running.push(instance);
    if (running.length < CONCURRENT) continue;
    highestShare = Math.max(highestShare, Math.max(...instances.map(({ load }) => load)) / (CONCURRENT / INSTANCES));
    const [ended] = running.splice(Math.floor(random() * running.length), 1);
    if (ended) ended.load -= 1;
  }
  return { hitRate: hits / laterTurns, highestShare };
}

const ways: Readonly<Record<string, Choice>> = {
  'round robin': (instances, _conversation, call) => instances[call % instances.length],
  'least load': (instances) => chooseInstance(instances),
  'affinity with bounded load': (instances, conversation) => chooseInstance(instances, conversation),
};

/** How often a conversation finds its server's cache warm: a simulation, the same load for each way to choose. */
export const affinity: Section = {
  name: 'affinity',
  title: 'Conversations that find their cache warm',
  about: `A simulation, in which no server takes part: ${CONCURRENT} calls at once on ${INSTANCES} instances that keep ${CACHED} conversations warm each, of
conversations with ${MEAN_TURNS} turns on average, ${OPEN} of them open. The first turn of a conversation does not count.`,
  columns: Object.keys(ways),
  yardstick: Object.keys(ways)[0],
  // Nothing disturbs it.
  rounds: 1,
  measure: async (way) => {
    const { hitRate, highestShare } = simulate(ways[way] as Choice);
    return [
      { row: 'warm turns, %', value: hitRate * 100, against: 'share' },
      { row: 'highest load of an instance, × its share', value: highestShare },
    ];
  },
};
