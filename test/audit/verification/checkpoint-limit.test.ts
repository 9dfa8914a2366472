import { expect, it } from '@jest/globals';
import { addSignedInUser } from '../../support/builders/accounts.js';
import { eventually } from '../../support/probes/eventually.js';
import type { Client } from '../../support/servers/platform.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const CHECKPOINTS = '/v1/admin/audit-logs/checkpoints';
const platform = usePlatform();

it('a user gets ten checkpoints a minute, and another one theirs', async () => {
  const [one, other] = [await addSysadmin(), await addSysadmin()];
  await eventually('there is a chain', 10, async () => (await other.post(CHECKPOINTS)).status === 201);
  const statuses: number[] = [];

  for (let time = 0; time < 11; time += 1) statuses.push((await one.post(CHECKPOINTS)).status);
  const refused = await one.post(CHECKPOINTS);

  expect(statuses).toEqual([...Array(10).fill(201), 429]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await other.post(CHECKPOINTS)).status).toBe(201);
});

async function addSysadmin(): Promise<Client> {
  return platform.as((await addSignedInUser(platform, undefined, { privileges: ['user', 'admin', 'sysadmin'] })).token);
}
