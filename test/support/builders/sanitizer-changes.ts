import { eventually } from '../probes/eventually.js';
import type { Gateway } from '../servers/gateway.js';
import type { Platform } from '../servers/platform.js';
import { addSanitizerPolicy, POLICIES } from './sanitizer-policy.js';

const TEXT = 'From ada@example.com, 192.0.2.1';

/**
 * Makes a policy, changes it and deletes it, and waits each time until a call of a model goes by what holds now.
 * @param caller the server that the calls are made through
 * @param watcher called after each of the changes, before the first call, and when a call has gone by it
 * @returns how many calls were made after each of the changes
 */
export async function changePolicies(
  gateway: Gateway,
  caller: Platform,
  watcher: { readonly changed?: () => Promise<void>; readonly seen?: () => void } = {},
): Promise<number[]> {
  const { platform, token } = gateway;
  const seen = async (expected: string) => {
    await watcher.changed?.();
    const calls = await callUntil(gateway, caller, expected);
    watcher.seen?.();
    return calls;
  };
  const { body } = await addSanitizerPolicy(platform, token);
  const made = await seen('From [EMAIL], 192.0.2.1');
  const changes = { rules: [{ kind: 'ip', action: 'mask' }] };
  await platform.request('PATCH', `${POLICIES}/${body.id}`, { token, body: changes });
  const changed = await seen('From ada@example.com, [IP]');
  await platform.request('DELETE', `${POLICIES}/${body.id}`, { token });
  return [made, changed, await seen(TEXT)];
}

/** Calls a model until it gets a prompt. */
async function callUntil({ backend, token }: Gateway, caller: Platform, expected: string): Promise<number> {
  const messages = [{ role: 'user', content: TEXT }];
  backend.reset();
  await eventually(`the model gets: ${expected}`, 5, async () => {
    await caller.request('POST', '/v1/chat/completions', { token, body: { model: 'scripted', messages } });
    return backend.requests.at(-1)?.body.messages[0].content === expected;
  });
  return backend.requests.length;
}
