import { setTimeout as sleep } from 'node:timers/promises';
import { pacedChat } from './asks.js';
import type { Ask } from './asks.js';
import { HttpConnection } from './http-connection.js';

/** Where and as whom a server is asked. */
export interface Target {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What one closed loop measured. */
export interface LoopResult {
  readonly perSecond: number;
  /** Of single requests, in milliseconds, sorted. */
  readonly latencies: readonly number[];
}

/** What one run of paced streams measured; delays are from the upstream's write to the client's read. */
export interface PacedResult {
  /** From the request to the first event, in milliseconds, sorted. */
  readonly firstEvents: readonly number[];
  /** In milliseconds, sorted. */
  readonly delays: readonly number[];
  readonly late: number;
  readonly lost: number;
  readonly reordered: number;
}

const LATE_MS = 20;
const EVENTS_PER_SECOND = 20;
const EVENT = /"content":"(\d+):(\d+)x "/g;
/** Longer than the end of an answer by which it is known to be whole. */
const TAIL_CHARACTERS = 256;

/** The value below which a share of sorted values lies. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function requestText(target: Target, ask: Ask, connection: number): string {
  const body = JSON.stringify(ask.body(connection));
  const headers = {
    host: new URL(target.origin).host,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...target.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${ask.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Each connection sends its next request when it has the whole answer to the last one. */
export async function closedLoop(target: Target, ask: Ask, connections: number, seconds: number): Promise<LoopResult> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const work = async (index: number) => {
    const request = requestText(target, ask, index);
    const connection = new HttpConnection(target.origin);
    for (let begin = performance.now(); begin < endsAt; begin = performance.now()) {
      let tail = '';
      let length = 0;
      await connection.send(request, (text) => {
        length += text.length;
        // The last piece may be as short as it likes.
        tail = text.length < TAIL_CHARACTERS ? (tail + text).slice(-TAIL_CHARACTERS) : text;
      });
      if (!ask.isWhole(tail, length)) throw new Error(`An answer of ${ask.path} was cut off: …${tail.slice(-100)}`);
      latencies.push(performance.now() - begin);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => work(index)));
  const perSecond = latencies.length / ((performance.now() - startedAt) / 1_000);
  return { perSecond, latencies: latencies.sort((a, b) => a - b) };
}

/** Opens streams evenly over their first second, so that their events are spread as those of real users are. */
export async function pacedStreams(target: Target, streams: number, seconds: number): Promise<PacedResult> {
  const events = seconds * EVENTS_PER_SECOND;
  const ask = pacedChat(events);
  const firstEvents: number[] = [];
  const delays: number[] = [];
  let reordered = 0;
  const work = async (index: number) => {
    const request = requestText(target, ask, index);
    const connection = new HttpConnection(target.origin);
    await sleep((index * 1_000) / streams);
    const begin = performance.now();
    let expected = 0;
    await connection.send(request, (text) => {
      const now = Number(process.hrtime.bigint() / 1000n);
      for (const [, number, sentAt] of text.matchAll(EVENT)) {
        if (expected === 0) firstEvents.push(performance.now() - begin);
        if (Number(number) !== expected) reordered += 1;
        expected = Number(number) + 1;
        delays.push((now - Number(sentAt)) / 1_000);
      }
    });
    connection.close();
  };
  await Promise.all(Array.from({ length: streams }, (_, index) => work(index)));
  delays.sort((a, b) => a - b);
  return {
    firstEvents: firstEvents.sort((a, b) => a - b),
    delays,
    late: delays.filter((delay) => delay > LATE_MS).length,
    lost: streams * events - delays.length,
    reordered,
  };
}

/** Opens streams, 100 at a time, and leaves each after its first event. */
export async function abortedStreams(target: Target, streams: number): Promise<void> {
  const ask = pacedChat(10_000);
  let left = streams;
  const work = async (index: number) => {
    const request = requestText(target, ask, index);
    while (left-- > 0) {
      const connection = new HttpConnection(target.origin);
      await connection.send(request, (text) => {
        if (text.includes('"content":')) connection.close();
      });
    }
  };
  await Promise.all(Array.from({ length: 100 }, (_, index) => work(index)));
}
