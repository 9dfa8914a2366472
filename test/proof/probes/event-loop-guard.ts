import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONFIRMATIONS } from '../../support/fuzz/attacks.js';
import type { LoopGuard } from '../../support/fuzz/attacks.js';
import { send, TooSlow } from '../../support/fuzz/send.js';

const BASELINE_PROBES = 100;
const PAUSE_MS = 5;
/** How much longer than without the fuzz a good request may wait. */
const LONGER_MS = 300;
const CALM_SECONDS = 20;
/** What keeps the server busy may come behind its answer. */
const BEHIND_MS = 20;
const GOOD_REQUEST = { method: 'GET', path: '/health/ready', headers: {} } as const;

/**
 * Asks a server in this process for what is cheap and good on a connection of its own, beside other work, and tells how
 * long it waits there. What counts is the time in which its event loop worked: a busy machine lets everybody wait.
 */
export class EventLoopGuard implements LoopGuard {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private baselineMs = 0;

  private constructor(private readonly url: string) {}

  /** Measures first how long a good request takes while nothing else is asked. */
  static async start(url: string): Promise<EventLoopGuard> {
    const guard = new EventLoopGuard(url);
    // The first ones find no compiled code and no connection.
    for (let probe = 0; probe < BASELINE_PROBES; probe += 1) await guard.ask();
    for (let probe = 0; probe < BASELINE_PROBES; probe += 1) {
      guard.baselineMs = Math.max(guard.baselineMs, (await guard.ask()).waitedMs);
    }
    return guard;
  }

  /** Does the work; tells what was wrong with the good requests meanwhile, if anything. */
  async watch<T>(work: () => Promise<T>): Promise<{ value: T; disturbance?: string }> {
    const answers: GoodAnswer[] = [];
    let isWorking = true;
    const asking = (async () => {
      while (isWorking) answers.push(await this.ask());
    })();
    try {
      const value = await work();
      await sleep(BEHIND_MS);
      isWorking = false;
      await asking;
      return { value, disturbance: answers.map((answer) => this.problemOf(answer)).find((problem) => problem) };
    } finally {
      isWorking = false;
    }
  }

  /**
   * Repeats work that disturbed, from calm. A collection of garbage is counted as work, too, and may come twice by
   * chance; what blocks the event loop does so every time.
   * @returns what was wrong the last time, if something was each time
   */
  async confirm(work: () => Promise<unknown>): Promise<string | undefined> {
    let disturbance: string | undefined;
    for (let turn = 0; turn < CONFIRMATIONS; turn += 1) {
      await this.calm();
      ({ disturbance } = await this.watch(work));
      if (disturbance === undefined) return undefined;
    }
    return disturbance;
  }

  /** Waits until good requests are as fast as they should be. @throws Error after 20 s */
  async calm(): Promise<void> {
    const deadline = performance.now() + CALM_SECONDS * 1_000;
    while (this.problemOf(await this.ask()) !== undefined) {
      if (performance.now() > deadline) throw new Error(`Good requests still fail ${CALM_SECONDS} s after the fuzz.`);
    }
  }

  /** Ends its connection. */
  close(): void {
    this.agent.destroy();
  }

  private problemOf({ waitedMs, failure }: GoodAnswer): string | undefined {
    if (failure !== undefined) return `a good request failed: ${failure}`;
    if (waitedMs <= this.baselineMs + LONGER_MS) return undefined;
    const [waited, baseline] = [Math.round(waitedMs), Math.round(this.baselineMs)];
    return `a good request waited for ${waited} ms of work; without the fuzz at most for ${baseline} ms`;
  }

  /** Asks after a pause, which counts where it is longer than it should be: what stops the server stops the pause. */
  private async ask(): Promise<GoodAnswer> {
    const [startedAt, workedBefore] = [performance.now(), workMs()];
    await sleep(PAUSE_MS);
    const failure = await send(this.agent, this.url, GOOD_REQUEST).then(
      ({ status, text }) => (status === 200 ? undefined : `${status} ${text}`),
      // How long it took says enough.
      (error: Error) => (error instanceof TooSlow ? undefined : error.message),
    );
    return { waitedMs: Math.min(performance.now() - startedAt - PAUSE_MS, workMs() - workedBefore), failure };
  }
}

/**
 * How long the thread of the event loop has worked. Those beside it, which hash, collect garbage or are the embedded
 * database, count only where the system tells no more than the sum.
 */
function workMs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

interface GoodAnswer {
  readonly waitedMs: number;
  readonly failure?: string;
}
