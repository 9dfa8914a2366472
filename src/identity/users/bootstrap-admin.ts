import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { SYSTEM } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { ConfigError } from '../../platform/config/config.js';
import type { IdentityConfig } from '../config.js';
import { newId } from '../../platform/ids.js';
import { explained, findFirstPassword, writeFirstPassword } from '../../platform/database/data-folder.js';
import { lockInTransaction } from '../../platform/database/advisory-lock.js';
import { normalizeEmail } from './email.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import { passwordProblem } from '../passwords/password-policy.js';
import { Tenant } from '../tenants/tenant.entity.js';
import { User } from './user.entity.js';

/** The first user, at the start that made it. */
export interface BootstrapAdmin {
  readonly email: string;
  /** A password that was not configured, and the file that it is kept in. */
  readonly generated?: { readonly password: string; readonly passwordFile: string };
}

/**
 * Makes the default tenant and its administrator, unless there is a user already.
 * @returns undefined if there was one, or another replica was faster
 * @throws ConfigError when the configured email or password cannot be used; OperationalError where a generated password
 * cannot be written to the data folder
 */
export async function bootstrap(
  dataSource: DataSource,
  hasher: PasswordHasher,
  config: Pick<IdentityConfig, 'bootstrapAdminEmail' | 'bootstrapAdminPassword'> & { readonly dataDir: string },
  audit: AuditRecorder,
): Promise<BootstrapAdmin | undefined> {
  if (await dataSource.getRepository(User).exists()) {
    await deleteChangedPassword(dataSource, hasher, config.dataDir);
    return undefined;
  }
  const email = checkedEmail(config.bootstrapAdminEmail);
  const given = config.bootstrapAdminPassword;
  const password = given ?? randomBytes(18).toString('base64url');
  const problem = passwordProblem(password, email);
  if (problem) throw new ConfigError([`BOOTSTRAP_ADMIN_PASSWORD: ${problem}`]);
  const passwordHash = await hasher.hash(password);
  return dataSource.transaction(async (tx) => {
    await lockInTransaction(tx, 'bootstrap');
    if (await tx.exists(User)) return undefined;
    // Written before the user is there: a start that fails later must not lose the password.
    const passwordFile = given === undefined ? await writeFirstPassword(config.dataDir, password) : undefined;
    await insertFirstUser(tx, audit, email, passwordHash);
    return passwordFile === undefined ? { email } : { email, generated: { password, passwordFile } };
  });
}

/** Deletes the file of a generated password that was changed since: each start would name it. */
async function deleteChangedPassword(dataSource: DataSource, hasher: PasswordHasher, dataDir: string): Promise<void> {
  const file = findFirstPassword(dataDir);
  if (file === undefined) return;
  await explained(dataDir, async () => {
    const password = (await readFile(file, 'utf8')).trimEnd();
    const user = await dataSource.manager.findOneBy(User, { isBootstrap: true });
    if (!(await hasher.verify(user?.passwordHash, password))) await rm(file, { force: true });
  });
}

async function insertFirstUser(
  tx: EntityManager,
  audit: AuditRecorder,
  email: string,
  passwordHash: string,
): Promise<void> {
  const now = new Date();
  const tenantId = newId('ten');
  await tx.insert(Tenant, {
    id: tenantId,
    name: 'Default',
    plan: 'enterprise',
    allowedPlans: [],
    isDefault: true,
    createdAt: now,
    updatedAt: now,
  });
  const id = newId('usr');
  await tx.insert(User, {
    id,
    tenantId,
    email,
    username: email.split('@')[0] ?? email,
    passwordHash,
    confirmed: true,
    status: 'active',
    isBootstrap: true,
    privileges: ['user', 'admin', 'sysadmin'],
    groupMemberships: [],
    userVersion: 1,
    createdAt: now,
  });
  const target = { type: 'user', id };
  await audit.record(tx, SYSTEM, { tenantId, action: 'user.create', target, reason: 'the first start' });
}

function checkedEmail(text: string): string {
  const email = normalizeEmail(text);
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new ConfigError(['BOOTSTRAP_ADMIN_EMAIL: must be an email address']);
  return email;
}
