import { readdirSync } from 'node:fs';
import { Agent } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { residentKib } from '../../../bench/processes.js';
import type { Replica } from '../../crash/replica.js';
import { send } from '../../support/fuzz/send.js';
import { GOOD } from './actors/callers.js';
import { pause } from './actor.js';
import type { Tally } from './actor.js';

const ASK_EVERY_MS = 100;
const GOOD_REQUEST = { method: 'GET', path: '/health/ready', headers: {} } as const;

/** How a process does. */
export interface ProcessSample {
  readonly residentMib: number;
  /** Open descriptors. */
  readonly descriptors: number;
  /** Of the good requests since the last sample. */
  readonly medianMs: number;
  readonly longestMs: number;
}

/** How everything does at one time. */
export interface Sample {
  readonly seconds: number;
  /** In the order of the replicas; undefined where one does not serve. */
  readonly processes: readonly (ProcessSample | undefined)[];
  /** Good calls since the last sample. */
  readonly whole: number;
  readonly failed: number;
  /** The longest that the load itself was held up. */
  readonly loadDelayMs: number;
}

/** Asks every replica for something cheap all the time, and reads what the system knows of its process. */
export class Sampler {
  readonly samples: Sample[] = [];
  /** How often good requests were not answered as they should be, by what became of them. */
  readonly failures = new Map<string, number>();
  private readonly startedAt = performance.now();
  private readonly delay = monitorEventLoopDelay({ resolution: 10 });
  private readonly times: number[][];
  private before = { whole: 0, failed: 0 };

  constructor(
    private readonly replicas: readonly Replica[],
    private readonly tally: Tally,
    private readonly goodActor: string,
  ) {
    this.times = replicas.map(() => []);
    this.delay.enable();
  }

  /** Asks until the signal. */
  async ask(signal: AbortSignal): Promise<void> {
    await Promise.all(this.replicas.map((replica, number) => this.askOne(replica, this.times[number] ?? [], signal)));
    this.delay.disable();
  }

  /** How the processes do now. */
  look(): readonly (ProcessSample | undefined)[] {
    return this.replicas.map((replica, number) => sampleOf(replica, this.times[number]?.splice(0) ?? []));
  }

  /** Takes a sample. */
  take(): Sample {
    const { whole, failed } = this.goodCalls();
    const sample = {
      seconds: Math.round((performance.now() - this.startedAt) / 1_000),
      processes: this.look(),
      whole: whole - this.before.whole,
      failed: failed - this.before.failed,
      loadDelayMs: this.delay.max / 1e6,
    };
    this.before = { whole, failed };
    this.delay.reset();
    this.samples.push(sample);
    return sample;
  }

  private goodCalls(): { whole: number; failed: number } {
    const outcomes = this.tally.of(this.goodActor);
    const sum = (isWanted: (outcome: string) => boolean) =>
      outcomes.filter(([outcome]) => isWanted(outcome)).reduce((all, [, count]) => all + count, 0);
    return { whole: sum((outcome) => outcome === GOOD), failed: sum((outcome) => outcome !== GOOD) };
  }

  private noteFailure(failure: string): void {
    this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1);
  }

  private async askOne(replica: Replica, times: number[], signal: AbortSignal): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!signal.aborted) {
      const { life } = replica;
      if (life) {
        const startedAt = performance.now();
        const failure = await send(agent, life.origin, GOOD_REQUEST).then(
          ({ status, text }) => (status === 200 ? undefined : `${status} ${text}`),
          (error: Error) => error.message,
        );
        times.push(performance.now() - startedAt);
        if (failure !== undefined) this.noteFailure(`${replica.name}: ${failure.replace(/:\d+$/, '')}`);
      }
      await pause(ASK_EVERY_MS, signal);
    }
    agent.destroy();
  }
}

function sampleOf({ life }: Replica, times: readonly number[]): ProcessSample | undefined {
  const pid = life?.child.pid;
  if (pid === undefined) return undefined;
  const sorted = times.toSorted((a, b) => a - b);
  try {
    const [residentMib, descriptors] = [residentKib(pid) / 1_024, readdirSync(`/proc/${pid}/fd`).length];
    const [medianMs, longestMs] = [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0];
    // One that has just ended has no memory.
    return Number.isNaN(residentMib) ? undefined : { residentMib, descriptors, medianMs, longestMs };
  } catch {
    return undefined;
  }
}
