import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyLedgerCommand } from '../../src/cli/commands/verify-ledger.js';
import { verifyLedger } from '../../src/metering/domain.js';
import { lockFolder } from '../../src/platform/database/embedded-database-lock.js';
import { databaseOf, runCommand } from '../support/servers/command.js';
import { runCommandProcess } from '../support/servers/command-process.js';
import { createTestDatabaseFolder } from '../support/servers/database.js';
import { onEmbedded } from '../support/servers/services.js';
import { useGateway } from '../support/servers/use-servers.js';

describe('verifying the ledger', () => {
  const gateway = useGateway();

  beforeAll(async () => {
    for (let calls = 0; calls < 3; calls += 1) await gateway.chat();
    // As if they had been settled a while ago, so that they are counted into hours.
    await gateway.platform.query("UPDATE calls SET settled_at = settled_at - interval '1 minute'");
    await gateway.platform.query('SELECT roll_up_usage(100)');
  });
  beforeEach(async () => expect((await verify()).differences).toEqual([]));

  it('finds nothing where nothing is wrong', async () => {
    expect(await verify()).toEqual({ calls: 3, open: 0, differences: [] });
  });

  it.each([
    ['a counter that was changed', 'UPDATE quota_counters SET settled_tokens = settled_tokens + 1', 2, /30/],
    ['an hour that was changed', 'UPDATE usage_hours SET calls = calls - 1', 1, /counted 2, .* in the ledger 3/],
    ['a call that is missing', 'DELETE FROM calls WHERE id = (SELECT min(id) FROM calls)', 3, /in the ledger/],
    ['an hour that is missing', 'DELETE FROM usage_hours', 1, /counted {2}?; in the ledger 3|counted ; in/],
  ])('finds %s', async (_what, change, lines, line) => {
    const { dataSource } = gateway.platform.app.database;
    const undone = new Error('undone');
    let differences: readonly string[] = [];

    await dataSource
      .transaction(async (tx) => {
        await tx.query(change);
        const within = { transaction: (_level: string, work: (manager: unknown) => unknown) => work(tx) };
        differences = (await verifyLedger(within as never, 0)).differences;
        throw undone;
      })
      .catch((error: unknown) => expect(error).toBe(undone));

    expect(differences).toHaveLength(lines);
    expect(differences[0]).toMatch(line);
  });

  it('is a command that says what it has found', async () => {
    const { platform } = gateway;

    const ended = await platform.whileStopped(() => runCommand(verifyLedgerCommand, databaseOf(platform)));

    expect(ended).toEqual({
      code: 0,
      output: expect.stringMatching(/^3 calls in the ledger.*\n.*equal the ledger\.\n$/),
    });
  });

  function verify(callsDays = 0) {
    return verifyLedger(gateway.platform.app.database.dataSource, callsDays);
  }
});

describe('the command that verifies the ledger', () => {
  it('ends well as a process where counters equal the ledger', async () => {
    const database = await createTestDatabaseFolder();

    const ended = await runCommandProcess('verify-ledger', database);
    await database.drop();

    expect(ended).toEqual({ code: 0, output: expect.stringContaining('equal the ledger') });
  });

  onEmbedded.it('says that an embedded database is in use', async () => {
    const database = await createTestDatabaseFolder();
    const lock = await lockFolder(database.env.DATA_DIR as string);

    const ended = await runCommand(verifyLedgerCommand, database);
    await lock.release();
    await database.drop();

    expect(ended).toEqual({ code: 1, output: expect.stringContaining('in use by process') });
  });

  it('makes no database where there is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'verify-ledger-'));

    const ended = await runCommand(verifyLedgerCommand, { env: { DATA_DIR: join(folder, 'nowhere') } });
    const names = await readdir(folder);
    await rm(folder, { recursive: true });

    expect(ended).toEqual({ code: 1, output: expect.stringContaining('no database') });
    expect(names).toEqual([]);
  });
});
