import { describe, expect, it } from '@jest/globals';
import { chooseInstance } from '../../../../src/inference/backends/routing/instance-choice.js';
import type { LoadBalancingCandidate } from '../../../../src/inference/backends/routing/instance-choice.js';

describe('the choice of an instance', () => {
  it('is none where there are none', () => {
    expect(chooseInstance([])).toBeUndefined();
  });

  it('takes the one with the least load', () => {
    expect(pile(instances(4), 40)).toEqual([10, 10, 10, 10]);
  });

  it('shares by weight', () => {
    const [big, small] = instances(2) as [Changeable, Changeable];
    big.weight = 3;

    expect(pile([big, small], 40)).toEqual([30, 10]);
  });

  it('draws lots among idle ones', () => {
    const among = instances(3);

    const chosen = new Set(Array.from({ length: 200 }, () => chooseInstance(among)?.id));

    expect(chosen.size).toBe(3);
  });

  it('prefers the lowest priority, and goes on where that has no room', () => {
    const [first, second] = instances(2) as [Changeable, Changeable];
    second.priority = 1;
    first.load = 50;
    expect(chooseInstance([second, first])).toBe(first);

    first.hasRoom = false;

    expect(chooseInstance([second, first])).toBe(second);
    second.hasRoom = false;
    expect(chooseInstance([second, first])).toBe(first);
  });

  it('keeps a conversation where it is', () => {
    const among = instances(8);

    const chosen = new Set(Array.from({ length: 50 }, () => chooseInstance(among, 'a conversation')?.id));

    expect(chosen.size).toBe(1);
  });

  it('moves only the conversations of an instance that went', () => {
    const among = instances(8);
    const keys = Array.from({ length: 400 }, (_, index) => `conversation ${index}`);
    const before = keys.map((key) => chooseInstance(among, key)?.id);

    const after = keys.map((key) => chooseInstance(among.slice(1), key)?.id);

    const moved = keys.filter((_, index) => before[index] !== after[index]);
    expect(moved.length).toBe(before.filter((id) => id === 'gpu-0').length);
    expect(moved.length).toBeGreaterThan(20);
  });

  it('spreads conversations by weight', () => {
    const [big, small] = instances(2) as [Changeable, Changeable];
    big.weight = 3;

    const chosen = Array.from({ length: 1_000 }, (_, index) => chooseInstance([big, small], `key ${index}`));

    expect(chosen.filter((instance) => instance === big).length).toBeGreaterThan(680);
  });

  it('never gives an instance much more than its share, however popular its conversations', () => {
    const loads = pile(instances(8), 400, () => 'the one that everybody has');

    expect(Math.max(...loads)).toBeLessThanOrEqual(50 * 1.25 + 2);
    expect(loads.reduce((sum, load) => sum + load, 0)).toBe(400);
  });
});

function instances(count: number, values: Partial<LoadBalancingCandidate> = {}): Changeable[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `gpu-${index}`,
    weight: 1,
    priority: 0,
    load: 0,
    hasRoom: true,
    ...values,
  }));
}

/** Sends calls that never end, and answers how many each instance got. */
function pile(among: Changeable[], calls: number, key?: (call: number) => string): number[] {
  for (let call = 0; call < calls; call += 1) {
    const chosen = chooseInstance(among, key?.(call));
    if (chosen) chosen.load += 1;
  }
  return among.map(({ load }) => load);
}

type Changeable = { -readonly [Key in keyof LoadBalancingCandidate]: LoadBalancingCandidate[Key] };
