import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../crash/random.js';
import type { Site } from './site.js';

/** What an actor has at hand in its turn. */
export interface Scene {
  readonly site: Site;
  readonly random: Random;
  /** Aborted when the soak is over. */
  readonly signal: AbortSignal;
  readonly tally: Tally;
  /** A name for what is done in this turn; no other turn has it. */
  readonly mark: string;
}

/** Somebody who does one thing to the server, again and again. */
export interface Actor {
  readonly name: string;
  /** So many do it at once. */
  readonly copies: number;
  /** @returns how it went, in a word or two: turns are counted by it */
  turn(scene: Scene): Promise<string>;
}

/** How often something went in which way, and how long something took. */
export class Tally {
  /** In milliseconds, by what was measured. */
  readonly times = new Map<string, number[]>();
  private readonly counts = new Map<string, Map<string, number>>();

  add(actor: string, outcome: string): void {
    const outcomes = this.counts.get(actor) ?? new Map<string, number>();
    this.counts.set(actor, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1));
  }

  time(what: string, milliseconds: number): void {
    this.times.set(what, [...(this.times.get(what) ?? []), milliseconds]);
  }

  /** The most frequent outcomes of an actor first. */
  of(actor: string): readonly (readonly [outcome: string, count: number])[] {
    return [...(this.counts.get(actor) ?? [])].sort(([, a], [, b]) => b - a);
  }
}

/** Plays an actor until the signal; what it throws is an outcome, too. */
export async function play(actor: Actor, scene: Omit<Scene, 'random' | 'mark'>, seed: number): Promise<void> {
  const random = new Random(seed);
  for (let turn = 0; !scene.signal.aborted; turn += 1) {
    const mark = `${actor.name.replaceAll(' ', '-')}-${seed}-${turn}`;
    const outcome = await actor.turn({ ...scene, random, mark }).catch(async (error: Error) => {
      await pause(200, scene.signal);
      return `no answer: ${error.message.slice(0, 80)}`;
    });
    if (!scene.signal.aborted) scene.tally.add(actor.name, outcome);
  }
}

/** Waits; the signal ends it early. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
