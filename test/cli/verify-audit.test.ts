import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyAuditCommand } from '../../src/cli/commands/verify-audit.js';
import { addTenant } from '../support/builders/accounts.js';
import { AuditChainProbe } from '../support/probes/audit-chain.js';
import { createTestDatabaseFolder } from '../support/servers/database.js';
import { databaseOf, runCommand } from '../support/servers/command.js';
import { runCommandProcess } from '../support/servers/command-process.js';
import type { EndedCommand } from '../support/servers/command-process.js';
import { eventually } from '../support/probes/eventually.js';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';

describe('the command that verifies the audit log', () => {
  let [platform, probe]: [Platform, AuditChainProbe] = [] as never;
  let [folder, file, token] = ['', '', ''];

  beforeAll(prepare);
  afterAll(() => Promise.all([platform.close(), rm(folder, { recursive: true })]));

  it('finds nothing where nothing is wrong', async () => {
    const { code, output } = await verify();

    expect([code, output]).toEqual([0, expect.stringContaining('Nothing was changed.')]);
  });

  it('does not call a chain unchanged that is not there', async () => {
    const { code, output } = await verify('--chain', 'ten_nonsense');

    expect([code, output]).toEqual([1, expect.stringContaining('There is no entry in a chain ten_nonsense.')]);
  });

  it('takes no checkpoint of another chain, and no file that is broken', async () => {
    const broken = join(folder, 'broken.json');
    await writeFile(broken, '{"token":');

    const other = await verify('--chain', 'platform', '--checkpoint', file);
    const unread = await verify('--checkpoint', broken);

    expect([other.code, other.output]).toEqual([1, expect.stringContaining('not of the chain platform')]);
    expect([unread.code, unread.output]).toEqual([1, expect.stringMatching(/broken\.json is no JSON\.\s*$/)]);
  });

  it('names what is wrong, and fails', async () => {
    await platform.query("UPDATE audit_entries SET reason = 'forged' WHERE chain = $1 AND sequence = 2", [probe.chain]);

    const { code, output } = await verify('--chain', probe.chain);

    expect([code, output]).toEqual([1, expect.stringContaining(`${probe.chain} 2 edited: ${await probe.idAt(2)}`)]);
  });

  it('takes a checkpoint of a chain that was deleted with its tenant', async () => {
    await platform.request('DELETE', `/v1/admin/tenants/${probe.chain}`, { token });
    await eventually('the chain is gone', 20, async () => (await probe.length()) === 0);

    const { code, output } = await verify('--checkpoint', file);

    expect([code, output]).toEqual([0, expect.stringContaining('0 entries')]);
  });

  it('ends well as a process where nothing is wrong', async () => {
    const database = await createTestDatabaseFolder();

    const ended = await runCommandProcess('verify-audit', database);
    await database.drop();

    expect(ended).toEqual({ code: 0, output: expect.stringContaining('Nothing was changed.') });
  });

  async function prepare(): Promise<void> {
    folder = await mkdtemp(join(tmpdir(), 'verify-audit-'));
    file = join(folder, 'checkpoint.json');
    platform = await startPlatform();
    token = (await platform.login()).access_token;
    probe = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await probe.add(3);
    await writeFile(file, JSON.stringify((await probe.sign()).body));
  }

  function verify(...args: string[]): Promise<EndedCommand> {
    return platform.whileStopped(() => runCommand(verifyAuditCommand, databaseOf(platform), { args }));
  }
});
