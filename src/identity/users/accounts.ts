import type { DataSource, EntityManager } from 'typeorm';
import type { User } from './user.entity.js';
import { SYSTEM } from '../../platform/audit/audit-event.js';
import type { AuditEvent } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import type { RevocationsService, Revoked } from '../sessions/revocations.service.js';

/** A change of accounts that is under way. */
export interface AccountChange {
  readonly tx: EntityManager;
  /** Ends every session and access token of users; their personal access tokens go on with what is true then. */
  endSessions(userIds: readonly string[]): Promise<void>;
  /** Records what the server changes by itself, as by what an identity provider tells. */
  record(user: Pick<User, 'id' | 'tenantId'>, action: AuditEvent['action'], reason: string): Promise<void>;
}

type Transaction = <T>(work: (tx: EntityManager) => Promise<T>) => Promise<T>;

/** Changes accounts, and ends what such a change makes worthless. */
export class Accounts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly revocations: RevocationsService,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Changes accounts in a transaction. What it ends has ended in this process when this resolves, and in every other
   * within a second.
   * @param within another transaction than one of its own, such as that of a job
   */
  async change<T>(
    work: (change: AccountChange) => Promise<T>,
    within: Transaction = (inner) => this.dataSource.transaction(inner),
  ): Promise<T> {
    const revoked: Revoked[] = [];
    const result = await within((tx) => {
      // A transaction may be tried again.
      revoked.length = 0;
      const endSessions = async (userIds: readonly string[]): Promise<void> => {
        for (const revocation of await this.revocations.endUsers(tx, userIds)) revoked.push(revocation);
      };
      const record: AccountChange['record'] = ({ id, tenantId }, action, reason) =>
        this.audit.record(tx, SYSTEM, { tenantId, action, target: { type: 'user', id }, reason });
      return work({ tx, endSessions, record });
    });
    for (const revocation of revoked) this.revocations.announce(revocation);
    return result;
  }
}
