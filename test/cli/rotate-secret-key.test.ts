import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rotateSecretKeyCommand } from '../../src/cli/commands/rotate-secret-key.js';
import { whoAmI } from '../support/builders/accounts.js';
import { auditRows } from '../support/probes/audit-rows.js';
import { runCommand } from '../support/servers/command.js';
import type { EndedCommand } from '../support/servers/command-process.js';
import type { RestAnswer } from '../support/servers/platform.js';
import { SecretRotation } from '../support/servers/secret-rotation.js';
import { onEmbedded, onPostgres } from '../support/servers/services.js';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];

describe('changing the secret key', () => {
  let rotation: SecretRotation;

  beforeEach(async () => {
    rotation = await SecretRotation.start(OLD);
  });
  afterEach(() => rotation.close());

  it('ends with everything opening by the new key alone, tokens and revisions as they were', async () => {
    const revisions = 'SELECT id, revision, updated_at FROM backends';
    const before = await rotation.platform.query(revisions);

    const ended = await change();

    expect([ended.code, ended.output]).toEqual([0, expect.stringContaining('0 values need the previous key')]);
    expect(ended.output).toContain('SECRET_KEY_PREVIOUS can be removed');
    expect(await rotated()).toMatchObject([{ actor_type: 'operator', outcome: 'success', reason: null }]);
    expect(await rotation.platform.query(revisions)).toEqual(before);
    expect((await whoAmI(rotation.platform, rotation.gateway.token)).status).toBe(200);
    expect(await rotation.openAll(NEW)).toEqual(SecretRotation.opened);
  });

  it('is done when the command says so: run again it finds nothing to do', async () => {
    const [first, second] = await rotation.platform.whileStopped(async () => {
      rotation.setKeys(NEW);
      return [await rotate(), await rotate()] as const;
    });

    expect([first.code, second.code]).toEqual([0, 0]);
    for (const name of ['signing_keys', 'backends', 'identity_providers', 'stored_keys', 'jobs.job']) {
      expect(first.output).toMatch(new RegExp(`^${name} \\([\\w-]+\\): 1 sealed, 1 of them anew`, 'm'));
    }
    expect(second.output).not.toMatch(/[1-9]\d* of them anew/);
  });

  it('names what opens with neither key, and does the rest', async () => {
    await rotation.platform.query("UPDATE backends SET secrets_sealed = '\\x00'");

    const ended = await change();

    expect([ended.code, ended.output]).toEqual([1, expect.stringMatching(/backends \(backend\): 1: bck_\w{26}/)]);
    expect(ended.output).not.toContain('can be removed');
    expect(await rotated()).toMatchObject([{ outcome: 'failure', reason: 'some values open with neither key' }]);
    expect(await rotation.openAll(NEW)).toMatchObject({ password: SecretRotation.opened.password });
  });

  it('never runs twice what has one Idempotency-Key', async () => {
    const { gateway } = rotation;
    const headers = { 'idempotency-key': randomUUID() };
    const send = async (): Promise<RestAnswer[]> => [
      await gateway.post('/v1/api-tokens', { name: 'Once', scopes: ['*'] }, { headers }),
      await gateway.chat({}, { headers }),
    ];

    const [token, answer] = await send();
    await rotation.restartWith(NEW, OLD);
    const during = await send();
    await change();
    const after = await send();

    expect([token?.status, answer?.status]).toEqual([201, 200]);
    for (const [replayed, refused] of [during, after]) {
      expect(replayed?.headers.get('idempotency-replayed')).toBe('true');
      expect(replayed?.body).toEqual(token?.body);
      expect([refused?.status, refused?.body.error.code]).toEqual([409, 'idempotency_not_replayable']);
    }
    expect(gateway.received).toBe(1);
  });

  it('is refused without the previous key, with the same one, and with two that are others', async () => {
    const run = (...keys: [Buffer, Buffer?]) => runCommand(rotateSecretKeyCommand, rotation.withKeys(...keys));

    const ended = await rotation.platform.whileStopped(async () => [
      await run(NEW),
      await run(NEW, NEW),
      await run(NEW, randomBytes(32)),
    ]);

    expect(ended.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(ended[0]?.output).toContain('Set SECRET_KEY to the new key, and SECRET_KEY_PREVIOUS to the one before');
    expect(ended[1]?.output).toContain('SECRET_KEY_PREVIOUS: is SECRET_KEY itself');
    expect(ended[2]?.output).toContain('SECRET_KEY: is not the one that this database was set up with');
    for (const { output } of ended) expect(output).not.toMatch(/\n\s+at /);
  });

  onEmbedded.it('is done by a start with both keys', async () => {
    await rotation.restartWith(NEW, OLD);
    const lines = rotation.platform.logLines.filter((line) => line.includes('SECRET_KEY_PREVIOUS can be removed'));
    const rows = await rotated();
    await rotation.restartWith(NEW);

    expect(rows).toMatchObject([{ actor_type: 'system', outcome: 'success', reason: null }]);
    expect(lines).toEqual([expect.stringContaining('"resealed":5')]);
    expect(await rotation.openAll(NEW)).toEqual(SecretRotation.opened);
  });

  onPostgres.it('fails no request while it goes on beside two servers, which have both keys', async () => {
    await rotation.restartWith(NEW, OLD);
    const replica = await rotation.platform.startReplica();
    await rotation.addWaitingMails(2_000);
    const over = new AbortController();

    const traffic = [rotation.platform, replica].map((server) => rotation.useAll(server, over.signal));
    const ended = await rotate();
    over.abort();
    const statuses = (await Promise.all(traffic)).flat();
    await replica.close();
    await rotation.restartWith(NEW);

    expect(statuses.length).toBeGreaterThan(20);
    expect(statuses.filter((status) => status >= 300)).toEqual([]);
    expect([ended.code, ended.output]).toEqual([0, expect.stringContaining('0 values need the previous key')]);
    expect(await rotation.openAll(NEW)).toMatchObject(SecretRotation.opened);
  });

  onPostgres.it('is the same to an Idempotency-Key on a server with the old key and on one with both', async () => {
    const { gateway, platform } = rotation;
    rotation.setKeys(NEW, OLD);
    const replica = await platform.startReplica();
    const headers = { 'idempotency-key': randomUUID() };
    const send = (server: typeof platform) =>
      server.as(gateway.token).post('/v1/api-tokens', { name: 'Once', scopes: ['*'] }, { headers });

    const answers = await Promise.all([send(platform), send(replica), send(platform), send(replica)]);
    const last = [await send(platform), await send(replica)];
    await replica.close();

    const made = answers.filter((answer) => answer.status === 201 && !answer.headers.has('idempotency-replayed'));
    expect(made).toHaveLength(1);
    for (const answer of last) expect(answer.body).toEqual(made[0]?.body);
  });

  /** As an operator does it: beside the server where that is possible, else while it is stopped. */
  async function change(): Promise<EndedCommand> {
    const { platform } = rotation;
    if (platform.app.database.embedded) {
      return platform.whileStopped(() => {
        rotation.setKeys(NEW);
        return rotate();
      });
    }
    await rotation.restartWith(NEW, OLD);
    const ended = await rotate();
    await rotation.restartWith(NEW);
    return ended;
  }

  function rotate(): Promise<EndedCommand> {
    return runCommand(rotateSecretKeyCommand, rotation.withKeys(NEW, OLD));
  }

  function rotated(): ReturnType<typeof auditRows> {
    return auditRows(rotation.platform, "action = 'secret_key.rotate'");
  }
});
