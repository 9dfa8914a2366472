import { expect, it } from '@jest/globals';
import { QueueDatabase } from '../../../src/platform/jobs/queue-database.js';
import { silentLog } from '../../support/probes/silent-log.js';

it('claims once for all workers of a kind that find nothing, and once for each job that is due', async () => {
  const { queue, claims, due } = openQueue();

  await Promise.all(Array.from({ length: 30 }, () => queue.executeSql(claimOf('mail'))));
  due.push('a', 'b');
  const found = await Promise.all(Array.from({ length: 30 }, () => queue.executeSql(claimOf('mail'))));

  expect(claims).toHaveLength(1 + 3);
  expect(found.flatMap(({ rows }) => rows)).toEqual(['a', 'b']);
});

it('claims apart where kinds, or tenants that are left out, differ', async () => {
  const { queue, claims } = openQueue();

  await Promise.all([
    queue.executeSql(claimOf('mail')),
    queue.executeSql(claimOf('echo.transcribe')),
    queue.executeSql(claimOf('mail'), [['ten_1']]),
    queue.executeSql(claimOf('mail'), [['ten_1', 'ten_2']]),
  ]);

  expect(claims).toHaveLength(4);
});

function openQueue() {
  const claims: string[] = [];
  const due: string[] = [];
  const db = {
    executeSql: async (text: string) => {
      claims.push(text);
      return { rows: due.splice(0, 1) };
    },
  };
  const blobs = { storeId: async () => undefined, storeOf: async () => undefined };
  return { queue: new QueueDatabase({ db, blobs, log: silentLog }), claims, due };
}

/** As far as it is read: what the library claims with stands in its whole text in the tests of the queue. */
function claimOf(kind: string): string {
  return `UPDATE jobs.job j SET state = 'active' WHERE j.name = '${kind}' AND NOT j.blocked`;
}
