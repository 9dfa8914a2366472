import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { SYSTEM } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { ConfigError } from '../../platform/config/config.js';
import type { IdentityConfig } from '../config.js';
import { newId } from '../../platform/ids.js';
import { lockInTransaction } from '../../platform/database/advisory-lock.js';
import { normalizeEmail } from './email.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import { passwordProblem } from '../passwords/password-policy.js';
import { Tenant } from '../tenants/tenant.entity.js';
import { User } from './user.entity.js';

/** The first user, at the start that made it. */
export interface BootstrapAdmin {
  readonly email: string;
  /** Only if it was generated: nobody is told again. */
  readonly password?: string;
}

/**
 * Makes the default tenant and its administrator, unless there is a user already.
 * @returns undefined if there was one, or another replica was faster
 * @throws ConfigError when the configured email or password cannot be used
 */
export async function bootstrap(
  dataSource: DataSource,
  hasher: PasswordHasher,
  config: Pick<IdentityConfig, 'bootstrapAdminEmail' | 'bootstrapAdminPassword'>,
  audit: AuditRecorder,
): Promise<BootstrapAdmin | undefined> {
  if (await dataSource.getRepository(User).exists()) return undefined;
  const email = checkedEmail(config.bootstrapAdminEmail);
  const password = config.bootstrapAdminPassword ?? randomBytes(18).toString('base64url');
  const problem = passwordProblem(password, email);
  if (problem) throw new ConfigError([`BOOTSTRAP_ADMIN_PASSWORD: ${problem}`]);
  const passwordHash = await hasher.hash(password);
  const made = await makeFirstUser(dataSource, audit, email, passwordHash);
  if (!made) return undefined;
  return config.bootstrapAdminPassword === undefined ? { email, password } : { email };
}

async function makeFirstUser(
  dataSource: DataSource,
  audit: AuditRecorder,
  email: string,
  passwordHash: string,
): Promise<boolean> {
  return dataSource.transaction(async (tx) => {
    await lockInTransaction(tx, 'bootstrap');
    if (await tx.exists(User)) return false;
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
    return true;
  });
}

function checkedEmail(text: string): string {
  const email = normalizeEmail(text);
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new ConfigError(['BOOTSTRAP_ADMIN_EMAIL: must be an email address']);
  return email;
}
