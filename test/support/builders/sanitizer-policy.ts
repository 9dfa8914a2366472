import type { Platform, RestAnswer } from '../servers/platform.js';

/** The path of sanitizer policies. */
export const POLICIES = '/v1/admin/sanitizer/policies';

/**
 * Makes a sanitizer policy.
 * @param token of an administrator, whose tenant it is for; of the administrator of all: it is for everybody
 * @param members put over a name and one rule, which masks addresses of mail
 */
export function addSanitizerPolicy(platform: Platform, token: string, members: object = {}): Promise<RestAnswer> {
  const body = { name: 'Addresses', rules: [{ kind: 'email', action: 'mask' }], ...members };
  return platform.request('POST', POLICIES, { token, body });
}

/** Deletes the sanitizer policies of everybody. @param token of the administrator of all */
export async function deleteSanitizerPolicies(platform: Platform, token: string): Promise<void> {
  const { body } = await platform.request('GET', `${POLICIES}?limit=100`, { token });
  for (const { id } of body.data) await platform.request('DELETE', `${POLICIES}/${id}`, { token });
}
