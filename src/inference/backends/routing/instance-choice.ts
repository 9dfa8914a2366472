import { hash } from 'node:crypto';

/** How far the load of an instance may be above its share before its conversations go elsewhere. */
const AFFINITY_SLACK = 1.25;

/** What a choice knows of an instance. */
export interface LoadBalancingCandidate {
  readonly id: string;
  /** Its share of the calls, against the others' weights. */
  readonly weight: number;
  /** Lower ones are used up first. */
  readonly priority: number;
  /** Calls that it answers or that wait for it. */
  readonly load: number;
  /** Whether a call would begin at once. */
  readonly hasRoom: boolean;
}

/**
 * Chooses among instances that may all be used: those with room before those with a queue, then the best priority, and
 * of these the one that keeps the conversation, or else the one with the least load for its weight.
 * @param affinityKey the same for all calls of a conversation
 * @returns undefined where there are none
 */
export function chooseInstance<T extends LoadBalancingCandidate>(
  instances: readonly T[],
  affinityKey?: string,
): T | undefined {
  const withRoom = instances.filter(({ hasRoom }) => hasRoom);
  const usable = withRoom.length > 0 ? withRoom : instances;
  const best = Math.min(...usable.map(({ priority }) => priority));
  const equals = usable.filter(({ priority }) => priority === best);
  if (equals.length < 2) return equals[0];
  return (affinityKey === undefined ? undefined : findAffinityInstance(equals, affinityKey)) ?? leastLoaded(equals);
}

/**
 * The instance that keeps a conversation, by weighted rendezvous hashing: when instances come or go, only the
 * conversations of these move. One with more than its share of the load is passed over.
 */
function findAffinityInstance<T extends LoadBalancingCandidate>(instances: readonly T[], key: string): T | undefined {
  const totalLoad = instances.reduce((sum, { load }) => sum + load, 0);
  const totalWeight = instances.reduce((sum, { weight }) => sum + weight, 0);
  let chosen: T | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (const instance of instances) {
    const share = totalLoad * (instance.weight / totalWeight);
    if (instance.load > AFFINITY_SLACK * share + 1) continue;
    const score = -instance.weight / Math.log(unitHash(`${key}\n${instance.id}`));
    if (score <= highest) continue;
    highest = score;
    chosen = instance;
  }
  return chosen;
}

/** Equally loaded ones are drawn by lot, so that idle instances share the calls. */
function leastLoaded<T extends LoadBalancingCandidate>(instances: readonly T[]): T | undefined {
  const loadOf = ({ load, weight }: T): number => (load + 1) / weight;
  const least = Math.min(...instances.map(loadOf));
  const equals = instances.filter((instance) => loadOf(instance) === least);
  return equals[Math.floor(Math.random() * equals.length)];
}

/** A number between 0 and 1, neither of them included. */
function unitHash(text: string): number {
  return (Number.parseInt(hash('sha1', text).slice(0, 12), 16) + 0.5) / 2 ** 48;
}
