import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { fuzz } from '../support/fuzz.js';
import { startPlatform } from '../support/platform.js';
import type { Platform } from '../support/platform.js';
import { newServiceKey } from '../support/service-key.js';

/** Always the same requests; `npm run fuzz` makes others. */
const SEED = 1;

describe('every operation', () => {
  const { key, env } = newServiceKey();
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform({ ...env, RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
  });
  afterAll(() => platform.close());

  it('answers broken, boundary and random requests as it is described', async () => {
    const { access_token: token } = await platform.login();

    await fuzz({
      url: platform.url,
      document: platform.app.openapi(),
      credentials: { token, serviceKey: key },
      requests: 5_000,
      seed: SEED,
    });
  }, 180_000);
});
