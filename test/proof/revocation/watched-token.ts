import { lifeOf } from '../../crash/client.js';
import type { Replica } from '../../crash/replica.js';
import { eventually } from '../../support/probes/eventually.js';
import { MODEL } from '../../crash/upstream.js';
import type { SteadyLoad, Target } from './steady-load.js';

/** Nothing is behind it: whoever is asked for it answers half, and never goes on. */
const CLOSED_GATE = 'closed';
const LEAST_SUCCESSES = 10;

/** How a token ended. Times in milliseconds after the answer that ended it; at most 0 is before. */
export interface TokenEnd {
  /** The beginning of the last request that succeeded. */
  readonly lastSuccessMs: number;
  /** The end of each of its streams. */
  readonly streamEndsMs: readonly number[];
}

/** A token that is used for requests all the time, and for a stream on every replica that waits for its model. */
export class WatchedToken implements Target {
  private readonly successes: number[] = [];
  private readonly failures: { readonly status: number; readonly answeredAt: number }[] = [];

  private constructor(
    readonly token: string,
    readonly path: string,
    private readonly load: SteadyLoad,
    private readonly streams: readonly Promise<number>[],
  ) {
    load.add(this);
  }

  /** Waits until its streams have begun. @param path of the requests */
  static async start(
    load: SteadyLoad,
    replicas: readonly Replica[],
    { token, path, mark }: { readonly token: string; readonly path: string; readonly mark: string },
  ): Promise<WatchedToken> {
    const streams = await Promise.all(replicas.map((replica, n) => openStream(replica, token, `${mark}-${n}`)));
    const ends = streams.map((stream) => endOf(stream));
    return new WatchedToken(token, path, load, ends);
  }

  readonly answered = (status: number, startedAt: number): void => {
    if (status === 200) this.successes.push(startedAt);
    else this.failures.push({ status, answeredAt: performance.now() });
  };

  /** Waits until it has been used for a while. */
  async isUsed(): Promise<void> {
    await eventually('a token is used', 30, () => this.successes.length >= LEAST_SUCCESSES);
  }

  /** Uses it no more. @param endedAt when it was to end, by `performance.now()` */
  async stop(endedAt: number): Promise<TokenEnd> {
    this.load.remove(this);
    return {
      lastSuccessMs: Math.max(...this.successes) - endedAt,
      streamEndsMs: (await Promise.all(this.streams)).map((end) => end - endedAt),
    };
  }

  /** How many requests that began between two times succeeded. */
  successesBetween(from: number, to: number): number {
    return this.successes.filter((time) => time >= from && time < to).length;
  }

  /** The statuses of requests that had failed by a time; 0 where there was no answer. */
  failuresBefore(time: number): number[] {
    return this.failures.filter(({ answeredAt }) => answeredAt < time).map(({ status }) => status);
  }
}

async function openStream(replica: Replica, token: string, mark: string): Promise<Response> {
  const body = {
    model: MODEL,
    messages: [{ role: 'user', content: mark }],
    stream: true,
    pace: { pieces: 1, milliseconds: 0, gate: CLOSED_GATE },
  };
  const response = await fetch(`${lifeOf(replica).origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  if (response.status !== 200) throw new Error(`A stream was answered with ${response.status}.`);
  return response;
}

/** When nothing more came, by `performance.now()`. @throws Error where it ended as if it were whole */
async function endOf(response: Response): Promise<number> {
  const text = await response.text().catch(() => '');
  if (text.includes('[DONE]')) throw new Error('A stream has ended as if it were whole.');
  return performance.now();
}
