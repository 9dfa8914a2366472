import type { EntityManager } from 'typeorm';
import { Conflict } from '../../errors.js';
import { lockInTransaction } from '../../platform/database/advisory-lock.js';

/** Who administers the installation and signs in by a password that is kept here, and that no directory decides. */
const LOCAL_SYSADMIN = `
  SELECT FROM users u
  WHERE status = 'active' AND confirmed AND 'sysadmin' = ANY (privileges)
    AND identity_provider_id IS NULL AND password_hash IS NOT NULL
    AND (is_bootstrap OR NOT EXISTS (
      SELECT FROM provider_domains d JOIN identity_providers p ON p.id = d.provider_id
      WHERE d.domain = split_part(u.email, '@', 2) AND p.kind = 'ldap' AND p.approved AND p.enabled))
  LIMIT 1`;

/**
 * Makes a change that may take away whoever administers the installation. Somebody must be left who signs in by a
 * password that is kept here: an identity provider may be away, or be changed.
 * @param tx of the change; such changes are made one after another, so that two do not take away the last two
 * @throws Conflict where nobody would be left
 */
export async function keepSysadmin<T>(tx: EntityManager, change: () => Promise<T>): Promise<T> {
  await lockInTransaction(tx, 'sysadmins');
  const wasThere = await isThere(tx);
  const result = await change();
  if (!wasThere || (await isThere(tx))) return result;
  throw new Conflict(
    'conflict',
    'This takes away the last sysadmin who signs in by a password: nobody might administer the installation any more.',
  );
}

async function isThere(tx: EntityManager): Promise<boolean> {
  return (await tx.query<object[]>(LOCAL_SYSADMIN)).length > 0;
}
