import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { beginGroupSync } from '../../support/builders/group-sync.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { foundEntry } from '../../support/servers/searched-directory.js';

let platform: Platform;
beforeEach(async () => void (platform = await startPlatform()));
afterEach(() => platform.close());

it('a sync asks for the groups of each person where all of them would take too much', async () => {
  const members = Array.from({ length: 45_000 }, (_, n) => `cn=${n}`);
  const { directory, searches, result } = await beginGroupSync(platform, ({ cookie, text }, n) => {
    if (cookie === undefined)
      return { entries: [foundEntry('cn=only', { cn: text.includes('uid=p1') ? 'mine' : '' })] };
    const unlike = members.map((member) => `${member},dc=${n}`);
    return { entries: [foundEntry(`cn=g${n}`, { cn: 'g', member: unlike })], cookie: n < 10 ? 'more' : '' };
  });

  const { status, changes } = await result();
  await directory.close();

  expect(status).toBe('completed');
  expect(searches.filter(({ cookie }) => cookie === undefined)).toHaveLength(3);
  expect(changes).toHaveLength(3);
});
