/**
 * How often a conversation finds its server's cache warm, for three ways to choose among eight instances, under a
 * simulated load: conversations that go on for some turns, and caches that hold so many of them each.
 * `tsx bench/affinity.ts`
 */
import { chooseInstance } from '../src/inference/backends/instance-choice.js';
import type { Choosable } from '../src/inference/backends/instance-choice.js';

const INSTANCES = 8;
const CONVERSATIONS = 20_000;
/** Conversations that one instance keeps warm; the least recently used makes room. */
const CACHED = 128;
const OPEN = 640;
const MEAN_TURNS = 8;
/** Calls that run at once. */
const CONCURRENT = 64;

type Choice = (instances: readonly Instance[], conversation: string, call: number) => Instance | undefined;

class Instance implements Choosable {
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

/** Always the same numbers, so that each way meets the same load. */
function numbers(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
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

console.log('| | warm turns | highest load of an instance, × its share |\n|---|---:|---:|');
for (const [name, choose] of Object.entries(ways)) {
  const { hitRate, highestShare } = simulate(choose);
  console.log(`| ${name} | ${(hitRate * 100).toFixed(1)} % | ${highestShare.toFixed(2)} |`);
}
