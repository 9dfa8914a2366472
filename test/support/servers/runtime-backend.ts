import type { Platform, RestAnswer } from './platform.js';

/**
 * Adds a backend while the server runs.
 * @param token of an administrator, whose tenant it belongs to; of the administrator of all: it is everybody's
 * @param settings put over a name and the model `scripted`
 */
export function addRuntimeBackend(
  platform: Platform,
  token: string,
  settings: { readonly base_url: string; readonly [name: string]: unknown },
): Promise<RestAnswer> {
  const body = { name: 'added', models: [{ id: 'scripted' }], ...settings };
  return platform.request('POST', '/v1/admin/backends', { token, body });
}
