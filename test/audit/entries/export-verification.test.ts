import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compactVerify, importJWK } from 'jose';
import { addTenant } from '../../support/accounts.js';
import type { AnyJson } from '../../support/any-json.js';
import { AuditChainProbe } from '../../support/audit-chain.js';
import { startPlatform } from '../../support/platform.js';
import type { Platform } from '../../support/platform.js';

/** As docs/audit.md says that anybody can do it; nothing of the server's own code is used. */
describe('an export of the audit log', () => {
  let platform: Platform;
  let probe: AuditChainProbe;
  let token: string;

  beforeAll(async () => {
    platform = await startPlatform();
    token = (await platform.login()).access_token;
    probe = await AuditChainProbe.open(platform, await addTenant(platform), token);
    await probe.add(20, { reason: 'ünïcode “quotes” \u0001\\ and /slashes/' });
  });
  afterAll(() => platform.close());

  it('is verified by its own lines', async () => {
    const lines = await exported();

    expect(lines).toHaveLength(20);
    for (const [index, line] of lines.entries()) {
      for (const [column, committed] of Object.entries<AnyJson>(line.commitments)) {
        if (!committed) continue;
        const salted = Buffer.concat([Buffer.from(committed.salt, 'base64url'), Buffer.from(valueOf(line, column))]);
        expect(sha256(salted, 'base64url')).toBe(committed.commitment);
      }
      expect(sha256(Buffer.from(canonicalOf(line)), 'hex')).toBe(line.hash);
      expect([line.sequence, line.previous_hash]).toEqual([index + 1, lines[index - 1]?.hash ?? null]);
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

  async function exported(): Promise<AnyJson[]> {
    const path = `/v1/admin/audit-logs?format=ndjson&tenant_id=${probe.chain}`;
    const response = await platform.send('GET', path, { token });
    return (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
});

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
