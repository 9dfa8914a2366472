import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { compactVerify, importJWK } from 'jose';
import { eraseUserFromAudit } from '../../../src/audit/audit-erasure.js';
import type { Erasure } from '../../../src/domain-module.js';
import { addTenant } from '../../support/builders/accounts.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { AuditChainProbe } from '../../support/probes/audit-chain.js';
import { usePlatform } from '../../support/servers/use-servers.js';

/** As docs/audit.md says that anybody can do it; nothing of the server's own code verifies. */
describe('an export of the audit log', () => {
  const platform = usePlatform();
  let probe: AuditChainProbe;
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
    probe = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await probe.add(20, { reason: 'ünïcode “quotes” \u0001\\ and /slashes/' });
  });

  it('is verified by its own lines', async () => {
    const lines = await exported();

    expect(lines).toHaveLength(20);
    for (const [index, line] of lines.entries()) {
      expectWhole(line);
      expect([line.sequence, line.previous_hash]).toEqual([index + 1, lines[index - 1]?.hash ?? null]);
    }
  });

  it('is verified where somebody was erased from it', async () => {
    const chain = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await chain.add(3);
    const transaction: Erasure['transaction'] = (work) => platform.app.database.dataSource.transaction(work);
    const person = { id: 'usr_probe', pseudonym: 'usr_nobody', tenantId: chain.chain, identifiers: [] };
    await eraseUserFromAudit(person, { transaction, signal: new AbortController().signal }, chain.secretBox);

    const lines = await exported(chain);

    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expectWhole(line);
      expect([line.actor.id, line.ip, line.user_agent, line.request_id]).toEqual(['usr_nobody', null, null, null]);
      expect(line.commitments.ip).toEqual({ commitment: expect.stringMatching(/^[\w-]{43}$/), salt: null });
      expect(line.commitments.target_id.salt).toEqual(expect.any(String));
    }
  });

  it('begins, after retention, behind the entry that a checkpoint was kept of', async () => {
    const chain = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await chain.addOld(4, 40);
    const { hash, sequence } = claimsOf(await chain.signEnd());
    await chain.add(3);
    await chain.prune(30);
    // That entries were deleted is the eighth.
    await chain.seal(4);

    const lines = await exported(chain);

    expect(lines.map((line) => line.sequence)).toEqual([5, 6, 7, 8]);
    expect([lines[0]?.previous_hash, lines[0]?.sequence]).toEqual([hash, sequence + 1]);
    for (const [index, line] of lines.entries()) {
      expectWhole(line);
      if (index > 0) expect(line.previous_hash).toBe(lines[index - 1]?.hash);
    }
  });

  it('has the entry that a checkpoint names', async () => {
    const { body: checkpoint } = await probe.sign();
    const key = await importJWK(JSON.parse(checkpoint.public_key), 'ES256');

    const { payload, protectedHeader } = await compactVerify(checkpoint.token, key);
    const said = JSON.parse(Buffer.from(payload).toString('utf8'));
    const line = (await exported()).find(({ sequence }) => sequence === said.sequence);

    expect(protectedHeader).toEqual({ alg: 'ES256', kid: checkpoint.kid, typ: 'audit-checkpoint+jwt' });
    expect(said).toMatchObject({ chain: probe.chain, purpose: 'checkpoint', hash: checkpoint.hash });
    expect(line?.hash).toBe(said.hash);
  });

  /** Without the entry of an export, which may be sealed while it is read. */
  async function exported({ chain } = probe): Promise<AnyJson[]> {
    const path = `/v1/admin/audit-logs?format=ndjson&tenant_id=${chain}`;
    const response = await platform.send('GET', path, { token });
    return (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ action }) => action !== 'audit_log.export');
  }
});

/** The values of a line belong to its commitments, and those to its hash. */
function expectWhole(line: AnyJson): void {
  for (const [column, committed] of Object.entries<AnyJson>(line.commitments)) {
    if (!committed?.salt) continue;
    const salted = Buffer.concat([Buffer.from(committed.salt, 'base64url'), Buffer.from(valueOf(line, column))]);
    expect(sha256(salted, 'base64url')).toBe(committed.commitment);
  }
  expect(sha256(Buffer.from(canonicalOf(line)), 'hex')).toBe(line.hash);
}

function claimsOf(checkpoint: string): AnyJson {
  return JSON.parse(Buffer.from(checkpoint.split('.')[1] ?? '', 'base64url').toString('utf8'));
}

function valueOf(line: AnyJson, column: string): string {
  const values = { ...line, actor_id: line.actor.id, target_id: line.target?.id };
  return values[column];
}

/** RFC 8785 for texts, whole numbers and null: the members in the order of their names, without spaces. */
function canonicalOf(line: AnyJson): string {
  const commitment = (column: string) => line.commitments[column]?.commitment ?? null;
  const members = {
    version: 1,
    chain: line.tenant_id ?? 'platform',
    id: line.id,
    sequence: line.sequence,
    previous_hash: line.previous_hash,
    action: line.action,
    actor_type: line.actor.type,
    actor_id: commitment('actor_id'),
    target_type: line.target?.type ?? null,
    target_id: commitment('target_id'),
    outcome: line.outcome,
    reason: line.reason,
    ip: commitment('ip'),
    user_agent: commitment('user_agent'),
    request_id: commitment('request_id'),
    server_request_id: line.server_request_id,
    created_at: line.created_at,
  };
  const sorted = Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted));
}

function sha256(bytes: Buffer, encoding: 'hex' | 'base64url'): string {
  return createHash('sha256').update(bytes).digest(encoding);
}
