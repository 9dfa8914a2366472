import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addDirectory, untilSynced } from '../../support/builders/directories.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import type { ScriptedDirectory } from '../../support/servers/scripted-directory.js';
import {
  closedGate,
  foundEntry,
  foundPerson,
  startSearchedDirectory,
} from '../../support/servers/searched-directory.js';
import type { HeardSearch, SearchAnswer } from '../../support/servers/searched-directory.js';
import { usedMemory } from '../../support/probes/used-memory.js';

describe('a sync with a directory whose groups are many', () => {
  let platform: Platform;
  let directory: ScriptedDirectory | undefined;
  beforeEach(async () => void (platform = await startPlatform()));
  afterEach(() => Promise.all([platform.close(), directory?.close()]));

  it('keeps little of members with long names', async () => {
    const pages = 5;
    const members = Array.from({ length: 1_900 }, (_, n) => `cn=m${n},ou=${'y'.repeat(7_900)},dc=x`);
    const gate = closedGate();
    const { sync, asked } = await begin(async (_, n) => {
      if (n === pages) await gate.passed;
      const unlike = members.map((member) => `${member},dc=${n}`);
      return { entries: [foundEntry(`cn=g${n},dc=x`, { cn: 'g', member: unlike })], cookie: n < pages ? 'more' : '' };
    });
    const before = usedMemory().heapUsed;

    await eventually('some pages are read', 90, () => asked() > pages);
    const kept = usedMemory().heapUsed - before;
    gate.open();

    expect(await sync()).toMatchObject({ status: 'completed' });
    // The names of these members together have 70 MiB.
    expect(kept).toBeLessThan(40 * MIB);
  }, 120_000);

  it('asks for the groups of each person where all of them would take too much', async () => {
    const members = Array.from({ length: 45_000 }, (_, n) => `cn=${n}`);
    const { sync, searches } = await begin(({ cookie, text }, n) => {
      if (cookie === undefined)
        return { entries: [foundEntry('cn=only', { cn: text.includes('uid=p1') ? 'mine' : '' })] };
      const unlike = members.map((member) => `${member},dc=${n}`);
      return { entries: [foundEntry(`cn=g${n}`, { cn: 'g', member: unlike })], cookie: n < 10 ? 'more' : '' };
    });

    const { status, changes } = await sync();

    expect(status).toBe('completed');
    expect(searches().filter(({ cookie }) => cookie === undefined)).toHaveLength(3);
    expect(changes).toHaveLength(3);
  });

  it('remembers little of the groups that it has asked for', async () => {
    const people = 60;
    const groups = Array.from({ length: 1_000 }, (_, n) => foundEntry(`cn=g${n},ou=${'x'.repeat(900)},dc=x`));
    const gate = closedGate();
    const { sync, asked } = await begin(
      async (_, n) => {
        if (n === people - 1) await gate.passed;
        return { entries: groups };
      },
      { people, group_filter: '(|(member={dn})(x=y))' },
    );
    const before = usedMemory().heapUsed;

    await eventually('many groups have been asked for', 90, () => asked() === people);
    const kept = usedMemory().heapUsed - before;
    gate.open();

    expect(await sync()).toMatchObject({ status: 'completed' });
    expect(kept).toBeLessThan(40 * MIB);
  }, 120_000);

  it('lets others go on while it reads members with names that take long', async () => {
    const name = 'a' + '\u0301\u0316'.repeat(1_900);
    const members = Array.from({ length: 1_000 }, (_, n) => `cn=m${n},ou=${name},dc=x`);
    // Made before, as the directory is in this process too and would hold it up.
    const group = foundEntry('cn=g,dc=x', { cn: 'g', member: members });
    const { sync } = await begin(() => ({ entries: [group] }));
    // In processor time: other processes of a busy machine are no work of this one.
    let longest = 0;
    let last = process.cpuUsage();
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage(last);
      longest = Math.max(longest, (user + system) / 1_000);
      last = process.cpuUsage();
    }, 1);

    const { status } = await sync();
    clearInterval(timer);

    expect(status).toBe('completed');
    expect(longest).toBeLessThan(1_500);
  });

  /** @param onGroups told how many searches for groups there were before */
  async function begin(
    onGroups: (search: HeardSearch, n: number) => SearchAnswer | Promise<SearchAnswer>,
    { people = 3, ...settings }: { people?: number; group_filter?: string } = {},
  ) {
    const searches: HeardSearch[] = [];
    directory = await startSearchedDirectory((search) => {
      if (search.base === '') return { entries: [] };
      if (search.base !== 'ou=groups') return { entries: Array.from({ length: people }, (_, n) => foundPerson(n)) };
      searches.push(search);
      return onGroups(search, searches.length - 1);
    });
    const { access_token: token } = await platform.login();
    const id = await addDirectory(platform, token, { ...SETTINGS, ...settings, url: directory.url });
    const path = `/v1/admin/directories/${id}/sync`;
    const { body } = await platform.request('POST', path, { token, body: { dry_run: true } });
    return {
      sync: () => untilSynced(platform, token, id, body.id),
      asked: () => searches.length,
      searches: () => searches,
    };
  }
});

const MIB = 1024 * 1024;

const SETTINGS = {
  kind: 'ldap',
  name: 'Many groups',
  domains: ['example.test'],
  base_dn: 'ou=people',
  group_base_dn: 'ou=groups',
  timeout_seconds: 60,
};
