import { createHash, randomBytes } from 'node:crypto';

/** How long the server's meter of its event loop sleeps between two looks; it counts that, too. */
export const METER_MS = 10;

/** May read /metrics. */
const secret = randomBytes(16).toString('hex');

/** The settings by which a server lets its event loop be looked at. */
export const meterSettings = {
  SERVICE_KEYS: `key_bench:${createHash('sha256').update(secret).digest('hex')}`,
} as const;

/** How long the event loop of a server was held since this was asked last, in milliseconds. */
export async function eventLoopDelay(origin: string): Promise<{ readonly p99: number; readonly max: number }> {
  const headers = { authorization: `Bearer key_bench.${secret}` };
  const text = await (await fetch(`${origin}/metrics`, { headers })).text();
  const read = (name: string): number => {
    const seconds = new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(text)?.[1];
    return Math.max(0, Number(seconds) * 1_000 - METER_MS);
  };
  return { p99: read('p99'), max: read('max') };
}
