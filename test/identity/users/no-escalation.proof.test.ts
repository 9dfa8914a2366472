import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { playSequences, SEED, SEQUENCE_ENV } from './no-escalation/sequences.js';

describe(`whatever administrators do for long (seed ${SEED})`, () => {
  let platform: Platform;
  beforeAll(async () => (platform = await startPlatform(SEQUENCE_ENV)));
  afterAll(() => platform.close());

  it('gives nobody what the giver lacks, and lets nobody reach beyond a tenant or a provider', async () => {
    const { problems, oneSided } = await playSequences(platform, 500);

    expect(problems).toEqual([]);
    expect(oneSided).toEqual([]);
  }, 240_000);
});
