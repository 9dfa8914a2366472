import type { Platform } from '../servers/platform.js';

/** Reads the lines of `/metrics`. @param serviceKey that may read them */
export async function metricLines(platform: Platform, serviceKey: string): Promise<string[]> {
  const { body } = await platform.request('GET', '/metrics', { token: serviceKey });
  return (body as string).split('\n');
}

/**
 * Reads the value of a series, 0 where it does not exist.
 * @param series with its labels, or a name that one series has
 */
export async function metricValue(platform: Platform, serviceKey: string, series: string): Promise<number> {
  const lines = await metricLines(platform, serviceKey);
  const line = lines.find((text) => text.startsWith(`${series} `) || text.startsWith(`${series}{`));
  return Number(line?.split(' ').at(-1) ?? 0);
}
