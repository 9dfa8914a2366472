import { describe, expect, it } from '@jest/globals';
import { attack, errorLinesOf, reportOf } from '../support/fuzz/attacks.js';
import { fuzz } from '../support/fuzz/fuzz.js';
import { GRAPHQL_ATTACKS } from '../support/fuzz/graphql.js';
import { RAW_ATTACKS } from '../support/fuzz/raw-bytes.js';
import { SOCKET_ATTACKS } from '../support/fuzz/sockets.js';
import { newServiceKey } from '../support/servers/service-key.js';
import { usePlatform } from '../support/servers/use-servers.js';

/** Always the same sample; `npm run proof -- attacks` tries more, and `npm run fuzz` others. */
const [SEED, REQUESTS, ROUNDS] = [1, 1_000, 1];
const SERVICE = newServiceKey();

describe('every operation', () => {
  const platform = usePlatform({ ...SERVICE.env, RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });

  it('answers broken, boundary and random requests as it is described', async () => {
    const { access_token: token } = await platform.login();

    const sent = await fuzz({
      url: platform.url,
      document: platform.app.openapi(),
      credentials: { token, serviceKey: SERVICE.key },
      requests: REQUESTS,
      seed: SEED,
      answerMs: ANSWER_MS,
    });

    expect(sent).toBeGreaterThan(0);
  });

  it.each([
    ['GraphQL over HTTP', GRAPHQL_ATTACKS],
    ['graphql-ws', SOCKET_ATTACKS],
    ['the port', RAW_ATTACKS],
  ])(
    'stands what comes over %s',
    async (_transport, kinds) => {
      const { access_token: token } = await platform.login();

      const options = { url: platform.url, token, kinds, rounds: ROUNDS, seed: SEED, answerMs: ANSWER_MS };
      const findings = await attack({ ...options, errorLines: () => errorLinesOf(platform.logLines) });

      expect(reportOf(findings, SEED)).toBe('');
    },
    120_000,
  );
});

/** A limit of waiting; that answers come in 5 s is proven apart. */
const ANSWER_MS = 60_000;
