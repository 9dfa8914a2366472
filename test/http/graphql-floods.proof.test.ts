import { beforeAll, describe, expect, it } from '@jest/globals';
import { graphqlFloods, manyVariables } from '../support/builders/graphql-floods.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('a GraphQL operation of anyone', () => {
  const platform = usePlatform();
  let token: string;
  beforeAll(async () => {
    token = (await platform.login()).access_token;
    await platform.graphql('{ health { status } }');
  });

  it.each(graphqlFloods())('lets no other request wait for a second: %s', async (_what, query) => {
    // Each took seconds once; this bound is for a busy machine.
    expect(await longestWaitDuring(() => platform.graphql(query))).toBeLessThan(1_000);
  });

  it.each([1_600, 50, 1])('has its variables looked at once: %d operations with 5,500 of them', async (operations) => {
    const body = manyVariables(operations, 5_500);

    const longest = await longestWaitDuring(() => platform.request('POST', '/graphql', { token, body }));

    expect(longest).toBeLessThan(1_000);
  });

  /** The longest that another request waited meanwhile. */
  async function longestWaitDuring(work: () => Promise<unknown>): Promise<number> {
    let running = true;
    let longest = 0;
    const watch = async (): Promise<void> => {
      while (running) {
        const startedAt = performance.now();
        await platform.request('GET', '/.well-known/jwks.json');
        longest = Math.max(longest, performance.now() - startedAt);
      }
    };
    const watching = watch();
    await work().finally(() => (running = false));
    await watching;
    return longest;
  }
});
