import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { GraphQLField } from 'graphql';
import { addSignedInUser } from '../support/builders/accounts.js';
import { eventually } from '../support/probes/eventually.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('operations that only read', () => {
  it.each<Way>(['graphql', 'rest'])(
    'of one user run four at once, over %s, and those of others beside',
    async (way) => {
      const [ann, bob] = [await addSignedInUser(platform), await addSignedInUser(platform)];
      const asked = Array.from({ length: 10 }, () => ask(way, ann.token));
      await eventually('four of them run', 5, () => running === 4);

      const other = ask(way, bob.token);

      await eventually('that of another user runs', 5, () => running === 5);
      gate.resolve();
      expect(await Promise.all([...asked, other])).toEqual(Array(11).fill(200));
    },
  );

  it('give their places back to those that wait, whoever leaves', async () => {
    const { token } = await addSignedInUser(platform);
    const leaving = new AbortController();
    const left = Array.from({ length: 10 }, () => ask('rest', token, leaving.signal));
    await eventually('four of them run', 5, () => running === 4);

    leaving.abort();
    expect((await Promise.allSettled(left)).every(({ status }) => status === 'rejected')).toBe(true);
    gate.resolve();

    expect(await ask('rest', token)).toBe(200);
  });

  type Way = 'graphql' | 'rest';
  const platform = usePlatform();
  let [running, gate, restore] = [0, Promise.withResolvers<void>(), (): void => undefined];
  beforeEach(() => {
    [running, gate] = [0, Promise.withResolvers<void>()];
    const field = platform.app.graph.schema.getQueryType()?.getFields()['me'] as GraphQLField<unknown, unknown>;
    const { resolve } = field;
    field.resolve = async (...args) => {
      running += 1;
      await gate.promise;
      return resolve?.(...args);
    };
    restore = () => void (field.resolve = resolve);
  });
  afterEach(() => restore());

  async function ask(way: Way, token: string, signal?: AbortSignal): Promise<number> {
    const authorization = `Bearer ${token}`;
    if (way === 'rest')
      return (await fetch(`${platform.url}/v1/auth/me`, { headers: { authorization }, signal: signal ?? null })).status;
    const response = await fetch(`${platform.url}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'query Mine { ...Own } fragment Own on Query { me { id } }' }),
    });
    return response.status;
  }
});
