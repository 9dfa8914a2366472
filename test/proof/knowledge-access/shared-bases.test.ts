import { describe, expect, it } from '@jest/globals';
import { Random } from '../../crash/random.js';
import { startPlatform } from '../../support/servers/platform.js';
import { SEARCH_MODES } from '../../support/servers/services.js';
import { SharedBases } from './shared-bases.js';

describe('knowledge bases that are asked by everybody', () => {
  it('tell nobody of what is not theirs, while rights and files change', async () => {
    const platform = await startPlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
    const shared = new SharedBases(platform, new Random(7), SEARCH_MODES);

    try {
      await shared.begin();
      await shared.play(200);
    } finally {
      await platform.close();
    }

    const { tally } = shared;
    expect(tally.problems).toEqual([]);
    expect(Math.min(tally.refused, tally.passages, tally.changes, tally.chats)).toBeGreaterThan(0);
  });
});
