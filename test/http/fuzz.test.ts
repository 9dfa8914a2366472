import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { attack, reportOf } from '../support/fuzz/attacks.js';
import type { AttackKind } from '../support/fuzz/attacks.js';
import { GRAPHQL_ATTACKS } from '../support/fuzz/graphql.js';
import { RAW_ATTACKS } from '../support/fuzz/raw-bytes.js';
import { SOCKET_ATTACKS } from '../support/fuzz/sockets.js';
import { fuzz } from '../support/fuzz/fuzz.js';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';
import { newServiceKey } from '../support/servers/service-key.js';

/** Always the same requests, and so many rounds of attacks; `npm run fuzz` makes others. */
const [SEED, ROUNDS] = [1, 4];
/** A limit of waiting; that answers come in 5 s is proven apart. */
const ANSWER_MS = 60_000;
const SERVICE = newServiceKey();

describe('every operation', () => {
  let platform: Platform;
  let token: string;

  beforeAll(async () => {
    platform = await startPlatform({ ...SERVICE.env, RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
    token = (await platform.login()).access_token;
  });
  afterAll(() => platform.close());

  it('answers broken, boundary and random requests as it is described', async () => {
    await fuzz({
      url: platform.url,
      document: platform.app.openapi(),
      credentials: { token, serviceKey: SERVICE.key },
      requests: 5_000,
      seed: SEED,
      answerMs: ANSWER_MS,
    });
  }, 600_000);

  it.each(transports())(
    'stands what comes over %s',
    async (_transport, kinds) => {
      const findings = await attack({
        url: platform.url,
        token,
        kinds,
        rounds: ROUNDS,
        seed: SEED,
        answerMs: ANSWER_MS,
        errorLines: () => platform.logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
      });

      expect(reportOf(findings, SEED)).toBe('');
    },
    600_000,
  );

  function transports(): [string, readonly AttackKind[]][] {
    return [
      ['GraphQL over HTTP', GRAPHQL_ATTACKS],
      ['graphql-ws', SOCKET_ATTACKS],
      ['the port', RAW_ATTACKS],
    ];
  }
});
