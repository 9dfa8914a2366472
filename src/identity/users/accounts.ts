import type { DataSource, EntityManager } from 'typeorm';
import type { RevocationsService, Revoked } from '../sessions/revocations.service.js';

/** A change of accounts that is under way. */
export interface AccountChange {
  readonly tx: EntityManager;
  /** Ends every session and access token of users; their personal access tokens go on with what is true then. */
  endSessions(userIds: readonly string[]): Promise<void>;
}

type Transaction = <T>(work: (tx: EntityManager) => Promise<T>) => Promise<T>;

/** Changes accounts, and ends what such a change makes worthless. */
export class Accounts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly revocations: RevocationsService,
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
      return work({ tx, endSessions });
    });
    for (const revocation of revoked) this.revocations.announce(revocation);
    return result;
  }
}
