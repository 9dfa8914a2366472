import { expect, it } from '@jest/globals';
import { addSignedInUser } from '../../support/builders/accounts.js';
import { eventually } from '../../support/probes/eventually.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const platform = usePlatform();

it('a user gets ten checkpoints a minute, and another one theirs', async () => {
  const [one, other] = [await addSysadmin(), await addSysadmin()];
  await eventually('there is a chain', 10, async () => (await sign(other)).status === 201);
  const statuses: number[] = [];

  for (let time = 0; time < 11; time += 1) statuses.push((await sign(one)).status);
  const refused = await sign(one);

  expect(statuses).toEqual([...Array(10).fill(201), 429]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await sign(other)).status).toBe(201);
});

async function addSysadmin(): Promise<string> {
  return (await addSignedInUser(platform, undefined, { privileges: ['user', 'admin', 'sysadmin'] })).token;
}

function sign(token: string): Promise<RestAnswer> {
  return platform.request('POST', '/v1/admin/audit-logs/checkpoints', { token });
}
