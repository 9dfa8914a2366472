import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Caller } from '../../../src/access/caller.js';
import { RateLimited } from '../../../src/errors.js';
import { MemoryTopics } from '../../../src/platform/cluster/topics.js';

import { researchFeeds, SessionEventsService } from '../../../src/researcher/events/session-events.service.js';
import { ResearchNotifier } from '../../../src/researcher/sessions/research-notifier.js';
import { addStaffedTenant } from '../../support/builders/accounts.js';
import type { StaffedTenant } from '../../support/builders/accounts.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { addResearchSession } from '../../support/builders/research.js';

it('has 200 streams of events at most for one user, until one of them ends', async () => {
  const [own, others] = [await reading(tenant.user), await reading(tenant.admin)];
  const streams = [];
  for (let count = 0; count < 200; count += 1) {
    const stream = (await own()).batches();
    await stream.next();
    streams.push(stream);
  }

  await expect(own()).rejects.toThrow(RateLimited);
  await expect(others()).resolves.toBeDefined();
  await streams[0]?.return?.();
  await streams[0]?.return?.();
  await (await own()).batches().next();
  await expect(own()).rejects.toThrow(RateLimited);
});

it('counts no stream that was never begun', async () => {
  const read = await reading(tenant.admin);
  for (let count = 0; count < 201; count += 1) await read();

  await expect(read()).resolves.toBeDefined();
});

let [platform, tenant, service]: [Platform, StaffedTenant, SessionEventsService] = [] as never;
beforeAll(async () => {
  platform = await startPlatform();
  tenant = await addStaffedTenant(platform);
  const { dataSource } = platform.app.database;
  service = new SessionEventsService(dataSource, researchFeeds(dataSource, new ResearchNotifier(new MemoryTopics())));
});
afterAll(() => platform.close());

/** Reads the events of a session of a user that is not over. */
async function reading({ id: userId, tenantId }: StaffedTenant['user']) {
  const id = await addResearchSession(platform, { id: userId, tenantId });
  return () => service.read({ userId, tenantId } as Caller, id, 0, new AbortController().signal);
}
