import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { beginGroupSync } from '../../support/builders/group-sync.js';
import type { GroupSync } from '../../support/builders/group-sync.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { closedGate, foundEntry } from '../../support/servers/searched-directory.js';
import { usedMemory } from '../../proof/probes/used-memory.js';

describe('a sync with a directory whose groups are many', () => {
  let platform: Platform;
  let sync: GroupSync;
  beforeEach(async () => void (platform = await startPlatform()));
  afterEach(() => Promise.all([platform.close(), sync.directory.close()]));

  it('keeps little of members with long names', async () => {
    const pages = 5;
    const members = Array.from({ length: 1_900 }, (_, n) => `cn=m${n},ou=${'y'.repeat(7_900)},dc=x`);
    const gate = closedGate();
    sync = await beginGroupSync(platform, async (_, n) => {
      if (n === pages) await gate.passed;
      const unlike = members.map((member) => `${member},dc=${n}`);
      return { entries: [foundEntry(`cn=g${n},dc=x`, { cn: 'g', member: unlike })], cookie: n < pages ? 'more' : '' };
    });
    const before = usedMemory().heapUsed;

    await eventually('some pages are read', 90, () => sync.searches.length > pages);
    const kept = usedMemory().heapUsed - before;
    gate.open();

    expect(await sync.result()).toMatchObject({ status: 'completed' });
    // The names of these members together have 70 MiB.
    expect(kept).toBeLessThan(40 * MIB);
  });

  it('remembers little of the groups that it has asked for', async () => {
    const people = 60;
    const groups = Array.from({ length: 1_000 }, (_, n) => foundEntry(`cn=g${n},ou=${'x'.repeat(900)},dc=x`));
    const gate = closedGate();
    sync = await beginGroupSync(
      platform,
      async (_, n) => {
        if (n === people - 1) await gate.passed;
        return { entries: groups };
      },
      { people, group_filter: '(|(member={dn})(x=y))' },
    );
    const before = usedMemory().heapUsed;

    await eventually('many groups have been asked for', 90, () => sync.searches.length === people);
    const kept = usedMemory().heapUsed - before;
    gate.open();

    expect(await sync.result()).toMatchObject({ status: 'completed' });
    expect(kept).toBeLessThan(40 * MIB);
  });

  it('lets others go on while it reads members with names that take long', async () => {
    const name = 'a' + '\u0301\u0316'.repeat(1_900);
    const members = Array.from({ length: 1_000 }, (_, n) => `cn=m${n},ou=${name},dc=x`);
    // Made before, as the directory is in this process too and would hold it up.
    const group = foundEntry('cn=g,dc=x', { cn: 'g', member: members });
    sync = await beginGroupSync(platform, () => ({ entries: [group] }));
    // In processor time: other processes of a busy machine are no work of this one.
    let longest = 0;
    let last = process.cpuUsage();
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage(last);
      longest = Math.max(longest, (user + system) / 1_000);
      last = process.cpuUsage();
    }, 1);

    const { status } = await sync.result();
    clearInterval(timer);

    expect(status).toBe('completed');
    expect(longest).toBeLessThan(1_500);
  });
});

const MIB = 1024 * 1024;
