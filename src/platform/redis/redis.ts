import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { createClient, RESP_TYPES } from '@redis/client';
import type { Logger } from 'pino';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { Unavailable } from '../../errors.js';
import { repeat } from '../async/periodic.js';
import type { Periodic } from '../async/periodic.js';
import type { CheckState } from '../telemetry/health.js';
import { ProbeHistory } from '../telemetry/probe-history.js';

const CONNECT_MS = 2_000;
const COMMAND_MS = 2_000;
const LONGEST_RETRY_MS = 1_000;
/** How often Redis is asked for a sign of life, and how long that may take: what was sent waits as long as both. */
const PING_MS = COMMAND_MS / 2;

/**
 * The connection to Redis, which replicas share. It reconnects by itself; while it is down commands fail at once, and
 * none takes longer than 2 s.
 */
export class Redis {
  private readonly client;
  private readonly listeners: { destroy(): void }[] = [];
  private readonly pings: Periodic;
  private readonly history = new ProbeHistory();
  private failing = false;

  /** Connects in the background, so that a server starts without its Redis. */
  constructor(
    url: string,
    private readonly log: Logger,
  ) {
    this.client = createClient({
      url,
      disableOfflineQueue: true,
      commandOptions: { timeout: COMMAND_MS, typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
      socket: {
        connectTimeout: CONNECT_MS,
        reconnectStrategy: (retries) => Math.min(50 * (retries + 1), LONGEST_RETRY_MS),
      },
    });
    this.client.on('error', (error: Error & { code?: string }) => {
      this.history.failed();
      this.logAvailability(error);
    });
    this.client.on('ready', () => {
      this.history.answered();
      this.logAvailability();
    });
    // It tries again until it is closed, and tells each failure as an event.
    this.client.connect().catch(() => undefined);
    this.pings = repeat('asking Redis for a sign of life', PING_MS, log, () => this.reconnectIfSilent());
  }

  /** Whether commands can be sent. */
  get isReady(): boolean {
    return this.client.isReady;
  }

  /** As `ProbeHistory` has it; each second of silence is a miss. */
  get state(): CheckState {
    if (this.isReady) return 'ok';
    return this.history.state === 'down' ? 'down' : 'degraded';
  }

  /** @throws Unavailable */
  get(key: string): Promise<Buffer | null> {
    return this.attempt(() => this.client.get(key));
  }

  /** @throws Unavailable */
  async setForSeconds(key: string, value: Buffer, seconds: number): Promise<void> {
    await this.attempt(() => this.client.set(key, value, { expiration: { type: 'EX', value: seconds } }));
  }

  /** Sends a text to whoever listens on a channel. @throws Unavailable */
  async publish(channel: string, text: string): Promise<void> {
    await this.attempt(() => this.client.publish(channel, text));
  }

  /** Hears every text on channels that match a pattern, over a connection of its own that comes back by itself. */
  listen(pattern: string, heard: (text: string, channel: string) => void): void {
    const listener = this.client.duplicate();
    // The main connection tells of failures.
    listener.on('error', () => undefined);
    listener
      .connect()
      .then(() => listener.pSubscribe(pattern, (text, channel) => heard(String(text), String(channel))))
      .catch(() => undefined);
    this.listeners.push(listener);
  }

  /** Runs a script, which changes several keys at once. @throws Unavailable */
  run(script: string, keys: string[], values: string[]): Promise<unknown> {
    return this.attempt(() => this.client.eval(script, { keys, arguments: values }));
  }

  /** Sets a field of a hash; `0` removes it. @throws Unavailable */
  async setField(key: string, field: string, value: string): Promise<void> {
    await this.attempt<unknown>(() =>
      value === '0' ? this.client.hDel(key, field) : this.client.hSet(key, field, value),
    );
  }

  /** Counts in Redis, so that replicas share a limit. What it answers rejects while Redis is down. */
  createLimiter(keyPrefix: string, points: number, durationSeconds: number): RateLimiterAbstract {
    return new RateLimiterRedis({
      storeClient: this.client,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
      keyPrefix,
      points,
      duration: durationSeconds,
    });
  }

  /** Ends the connections at once. */
  close(): void {
    void this.pings.stop();
    for (const connection of [this.client, ...this.listeners]) connection.destroy();
  }

  /** The library bounds how long a command waits until it is sent, and not how long its answer takes. */
  private async reconnectIfSilent(): Promise<void> {
    const { client } = this;
    if (!client.isReady) return this.history.missed();
    let isSilent = true;
    const heard = (): void => void (isSilent = false);
    client.ping().then(heard, heard);
    await delay(PING_MS, undefined, { ref: false });
    // Where this process stood still, the answer has come and is read in this turn.
    await nextTurn();
    if (!isSilent || !client.isOpen) return;
    this.history.missed();
    this.logAvailability(Object.assign(new Error('Redis is silent.'), { code: 'ETIMEDOUT' }));
    client.destroy();
    client.connect().catch(() => undefined);
  }

  private async attempt<T>(command: () => Promise<T>): Promise<T> {
    try {
      return await command();
    } catch (error) {
      throw Object.assign(new Unavailable('The shared store does not answer. Please try again.'), { cause: error });
    }
  }

  /** Only a change is worth a line of the log. */
  private logAvailability(error?: Error & { code?: string }): void {
    if (this.failing === (error !== undefined)) return;
    this.failing = error !== undefined;
    if (error) this.log.warn({ reason: error.code ?? error.name }, 'Redis does not answer');
    else this.log.info('Redis answers again');
  }
}
