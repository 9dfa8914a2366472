import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Pool } from 'undici';
import { CHAT_MODEL } from './greedy-models.js';

/** How the chats of the others went. */
export interface ChatTimes {
  readonly count: number;
  /** In milliseconds. */
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Why chats failed, with how often. */
  readonly failures: ReadonlyMap<string, number>;
  /** For so long the load itself was held up. */
  readonly loadDelayMs: number;
}

const TICK_MS = 10;
const CONNECTIONS = 100;
const LONGEST_MS = 30_000;

/** Chats of several users, so many a second, however long their answers take. */
export class OtherChats implements AsyncDisposable {
  private readonly pool: Pool;
  private times: number[] = [];
  private failures = new Map<string, number>();
  private turn = 0;

  constructor(
    origin: string,
    private readonly tokens: readonly string[],
  ) {
    this.pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  }

  /** Chats for a while. */
  async chatFor(milliseconds: number, perSecond: number): Promise<ChatTimes> {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const open: Promise<void>[] = [];
    const startedAt = performance.now();
    for (let elapsed = 0; elapsed < milliseconds; elapsed = performance.now() - startedAt) {
      while (open.length < (elapsed / 1_000) * perSecond) open.push(this.chat());
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
    await Promise.all(open);
    delay.disable();
    return this.take(delay.max / 1e6);
  }

  /** Chats so often, one after another. */
  async chatTimes(count: number): Promise<ChatTimes> {
    for (let chat = 0; chat < count; chat += 1) await this.chat();
    return this.take(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.destroy();
  }

  private async chat(): Promise<void> {
    const token = this.tokens[(this.turn += 1) % this.tokens.length];
    const startedAt = performance.now();
    const body = JSON.stringify({ model: CHAT_MODEL, messages: [{ role: 'user', content: 'Good day!' }] });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const signal = AbortSignal.timeout(LONGEST_MS);
    try {
      const answer = await this.pool.request({ method: 'POST', path: '/v1/chat/completions', headers, body, signal });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${text.slice(0, 150)}`);
      this.times.push(performance.now() - startedAt);
    } catch (error) {
      const { message } = error as Error;
      this.failures.set(message, (this.failures.get(message) ?? 0) + 1);
    }
  }

  private take(loadDelayMs: number): ChatTimes {
    const [times, failures] = [this.times.toSorted((a, b) => a - b), this.failures];
    [this.times, this.failures] = [[], new Map()];
    const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    return { count: times.length, medianMs: at(0.5), p99Ms: at(0.99), failures, loadDelayMs };
  }
}
