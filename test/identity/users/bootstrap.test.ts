import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/config.js';
import { resetPassword } from '../../../src/identity/domain.js';
import type { IdentityPorts } from '../../../src/identity/domain.js';
import { Tenant } from '../../../src/identity/tenants/tenant.entity.js';
import { User } from '../../../src/identity/users/user.entity.js';
import { AuditRecorder } from '../../../src/platform/audit/audit-recorder.js';
import { ConfigError } from '../../../src/platform/config/config.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';
import { createIdentity } from '../../support/servers/identity-host.js';

const SECRET_BOX = new SecretBox(randomBytes(32));

describe('the first start', () => {
  let opened: OpenTestDatabase;
  let started: Awaited<ReturnType<typeof createIdentity>>[];

  beforeEach(async () => {
    [started, opened] = [[], await openTestDatabase()];
  });
  afterEach(async () => {
    await Promise.all(started.map(({ close }) => close?.()));
    await opened.close();
  });

  it('makes a tenant and an administrator with a password of its own', async () => {
    const { bootstrapAdmin } = await start();

    const tenant = await opened.database.dataSource.getRepository(Tenant).findOneByOrFail({});
    const passwordFile = join(opened.env.DATA_DIR ?? '', 'first-admin-password');
    const generated = { password: expect.stringMatching(/^[\w-]{24}$/), passwordFile };
    expect(bootstrapAdmin).toEqual({ email: 'admin@localhost', generated });
    expect(readFileSync(passwordFile, 'utf8')).toBe(`${bootstrapAdmin?.generated?.password}\n`);
    expect(statSync(passwordFile).mode & 0o777).toBe(0o600);
    expect(tenant).toMatchObject({ name: 'Default', plan: 'enterprise' });
    expect(await opened.database.dataSource.getRepository(User).find()).toMatchObject([
      { tenantId: tenant.id, email: 'admin@localhost', confirmed: true, privileges: ['user', 'admin', 'sysadmin'] },
    ]);
  });

  it('takes the email and the password of the configuration, and does not repeat the password', async () => {
    const { bootstrapAdmin } = await start({
      BOOTSTRAP_ADMIN_EMAIL: 'Root@Example.Test',
      BOOTSTRAP_ADMIN_PASSWORD: 'seven quiet herons by the lake',
    });

    expect(bootstrapAdmin).toEqual({ email: 'root@example.test' });
    expect(existsSync(join(opened.env.DATA_DIR ?? '', 'first-admin-password'))).toBe(false);
  });

  it('makes no second administrator later', async () => {
    await start();

    const { bootstrapAdmin } = await start({ BOOTSTRAP_ADMIN_EMAIL: 'other@example.test' });

    expect(bootstrapAdmin).toBeUndefined();
    expect(await opened.database.dataSource.getRepository(User).count()).toBe(1);
  });

  it('is followed by others that keep the file of its password until that is changed', async () => {
    const { bootstrapAdmin } = await start();
    const { passwordFile = '' } = bootstrapAdmin?.generated ?? {};
    const { dataSource } = opened.database;

    await start();
    const isKept = existsSync(passwordFile);
    const audit = new AuditRecorder(dataSource, SECRET_BOX);
    await resetPassword({ dataSource, audit }, 'admin@localhost', 'seven quiet herons by the lake');
    await start();

    expect([isKept, existsSync(passwordFile)]).toEqual([true, false]);
  });

  it('makes one administrator and one signing key when several replicas start at once', async () => {
    const identities = await Promise.all([start(), start(), start()]);

    const made = identities.flatMap(({ bootstrapAdmin }) => bootstrapAdmin ?? []);
    expect(made).toHaveLength(1);
    expect(readFileSync(made[0]?.generated?.passwordFile ?? '', 'utf8')).toBe(`${made[0]?.generated?.password}\n`);
    expect(await opened.database.dataSource.getRepository(User).count()).toBe(1);
    expect(new Set(identities.map(({ jwks }) => JSON.stringify(jwks()))).size).toBe(1);
  });

  it('makes no administrator where its password cannot be kept', async () => {
    const folder = join(opened.env.DATA_DIR ?? '', 'file');
    writeFileSync(folder, '');

    await expect(start({ DATA_DIR: folder })).rejects.toThrow(/^The folder .* cannot be used|is not a folder/);

    expect(await opened.database.dataSource.getRepository(User).count()).toBe(0);
  });

  it.each([
    ['BOOTSTRAP_ADMIN_PASSWORD', 'password1234'],
    ['BOOTSTRAP_ADMIN_PASSWORD', 'admin@localhost'],
    ['BOOTSTRAP_ADMIN_EMAIL', 'nobody'],
  ])('stops when %s is %s', async (name, value) => {
    const attempt = start({ [name]: value });

    await expect(attempt).rejects.toThrow(ConfigError);
    await expect(attempt).rejects.toThrow(name);
    expect(await opened.database.dataSource.getRepository(User).count()).toBe(0);
  });

  async function start(env: Record<string, string> = {}): Promise<IdentityPorts> {
    const config = readConfig({ ...opened.env, ...env });
    const parts = await createIdentity(config, opened.database, SECRET_BOX);
    started.push(parts);
    return parts.ports;
  }
});
