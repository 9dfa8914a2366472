import { describe, expect, it } from '@jest/globals';
import { playSequences, SEED, SEQUENCE_ENV } from './no-escalation/sequences.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe(`whatever administrators do (seed ${SEED})`, () => {
  const platform = usePlatform(SEQUENCE_ENV);

  it('gives nobody what the giver lacks, and lets nobody reach beyond a tenant or a provider', async () => {
    const { problems, oneSided } = await playSequences(platform, 50);

    expect(problems).toEqual([]);
    expect(oneSided).toEqual([]);
  });
});
