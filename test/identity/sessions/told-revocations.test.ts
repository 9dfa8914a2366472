import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Caller } from '../../../src/access/caller.js';
import { RevocationsService } from '../../../src/identity/sessions/revocations.service.js';
import { MemoryTopics } from '../../../src/platform/cluster/topics.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/probes/eventually.js';

let opened: OpenTestDatabase;

beforeAll(async () => {
  opened = await openTestDatabase();
});

afterAll(() => opened.close());

it('a process that is told of revocations reads them at once, however many there are', async () => {
  const { dataSource } = opened.database;
  const topics = new MemoryTopics();
  const [here, there] = [new RevocationsService(dataSource, topics), new RevocationsService(dataSource, topics)];
  await there.refresh();
  const stop = there.listen();
  const ids = Array.from({ length: 20 }, (_, index) => `token-${index}`);

  for (const id of ids) here.announce(await dataSource.transaction((tx) => here.write(tx, 'token', id)));

  await eventually('all are known', 10, () => ids.every((id) => there.isRevoked(callerOf(id))));
  stop();
  here.announce(await dataSource.transaction((tx) => here.write(tx, 'token', 'later')));
  expect([here, there].map((service) => service.isRevoked(callerOf('later')))).toEqual([true, false]);
});

function callerOf(tokenId: string): Caller {
  return { credential: 'pat', tokenId, secretHash: 'none', userId: 'nobody', userVersion: 1 } as Caller;
}
