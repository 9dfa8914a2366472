import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventLoopGuard } from '../proof/probes/event-loop-guard.js';
import { attack, errorLinesOf, reportOf } from '../support/fuzz/attacks.js';
import { fuzz } from '../support/fuzz/fuzz.js';
import { GRAPHQL_ATTACKS } from '../support/fuzz/graphql.js';
import { RAW_ATTACKS } from '../support/fuzz/raw-bytes.js';
import { SOCKET_ATTACKS } from '../support/fuzz/sockets.js';
import { newServiceKey } from '../support/servers/service-key.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('a server that is attacked', () => {
  const platform = usePlatform(() => ({ ...SERVICE.env, RATE_LIMIT_REQUESTS_PER_MINUTE: '0' }));
  let guard: EventLoopGuard;
  let token: string;
  beforeAll(async () => {
    guard = await EventLoopGuard.start(platform.url);
    // Before some attacks sign in with wrong passwords.
    token = (await platform.login()).access_token;
  });
  afterAll(() => guard.close());

  it('lets no other request wait for broken, boundary and random requests, each answered in 5 s', async () => {
    const sent = await fuzz({
      url: platform.url,
      document: platform.app.openapi(),
      credentials: { token, serviceKey: SERVICE.key },
      requests: 5_000,
      seed: SEED,
      guard,
    });

    expect(sent).toBeGreaterThan(0);
  }, 600_000);

  it.each([
    ['GraphQL over HTTP', GRAPHQL_ATTACKS],
    ['graphql-ws', SOCKET_ATTACKS],
    ['the port', RAW_ATTACKS],
  ])('lets no other request wait for what comes over %s', async (_transport, kinds) => {
    const options = { url: platform.url, token, kinds, rounds: ROUNDS, seed: SEED, guard };
    const findings = await attack({ ...options, errorLines: () => errorLinesOf(platform.logLines) });

    expect(reportOf(findings, SEED)).toBe('');
  });
});

const [SEED, ROUNDS] = [1, 4];
const SERVICE = newServiceKey();
