import type { Platform, RestAnswer } from '../servers/platform.js';

/** The path of configurations of credibility. */
export const CREDIBILITY = '/v1/researcher/credibility';

/** Makes a configuration of credibility. @param token of an administrator @param members put over a name */
export function addCredibilityConfig(platform: Platform, token: string, members: object = {}): Promise<RestAnswer> {
  return platform.request('POST', CREDIBILITY, { token, body: { name: 'Reference works', ...members } });
}
