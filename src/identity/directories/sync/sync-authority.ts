import type { EntityManager } from 'typeorm';
import { Unauthorized } from '../../../errors.js';
import type { JobOwner } from '../../../platform/jobs/job.types.js';
import { requireActive } from '../../users/external-people.js';
import type { User } from '../../users/user.entity.js';
import type { DirectorySync } from './directory-sync.entity.js';
import { SyncFailure } from './sync-failure.js';

type Asker = Pick<User, 'privileges' | 'status'> & { readonly tenant_id: string };

/** By whose leave a directory sync changes accounts: its directory, as it was when the sync was asked for, and who asked. */
export class SyncAuthority {
  /** @param owner who asked; undefined: nobody */
  constructor(
    private readonly sync: Pick<DirectorySync, 'providerId' | 'providerRevision' | 'tenantId'>,
    private readonly owner: JobOwner | undefined,
  ) {}

  /**
   * Keeps the directory, its tenant, and who asked as they are until the transaction ends.
   * @throws SyncFailure where one of them is gone or was changed since the sync was asked for
   */
  async require(tx: EntityManager): Promise<void> {
    const { providerId: id, providerRevision: revision, tenantId } = this.sync;
    try {
      await requireActive(tx, { id, revision });
    } catch (error) {
      if (!(error instanceof Unauthorized)) throw error;
      throw new SyncFailure('The directory is not active any more, or was changed after the sync was asked for.');
    }
    const sql = 'SELECT privileges, status, tenant_id FROM users WHERE id = $1 FOR SHARE';
    const [user] = await tx.query<Asker[]>(sql, [this.owner?.userId ?? '']);
    if (user?.status !== 'active') throw new SyncFailure('Who asked for the sync may not sign in any more.');
    const isAdmin = user.privileges.includes('admin') && user.tenant_id === tenantId;
    if (isAdmin || user.privileges.includes('sysadmin')) return;
    throw new SyncFailure('Who asked for the sync does not administer the directory any more.');
  }
}
