import type { DataSource, EntityManager } from 'typeorm';
import { In } from 'typeorm';
import type { Job } from '../../../platform/jobs/job.types.js';
import type { Accounts } from '../../users/accounts.js';
import { User } from '../../users/user.entity.js';
import type { DirectorySync } from './directory-sync.entity.js';
import type { SyncAuthority } from './sync-authority.js';
import { SyncFailure } from './sync-failure.js';
import { toSyncChange } from './sync-report.js';
import type { SyncReport } from './sync-report.js';

/** More than so many people, and more than this share of all, are suspended with `force` alone. */
const MAX_SUSPENDED = 10;
const MAX_SHARE = 0.2;
const AT_ONCE = 25;
const PAGE = 5_000;

/**
 * Active people from before the sync; whoever signs in for the first time meanwhile has not vanished. No directory takes
 * away who administers the installation: those who may change its settings may have less privileges.
 */
const ACTIVE = `
  FROM users u WHERE u.identity_provider_id = $1 AND u.status = 'active'
    AND NOT ('sysadmin' = ANY (u.privileges))
    AND u.external_id IS NOT NULL AND u.created_at < $2`;
const VANISHED = `${ACTIVE}
    AND NOT EXISTS (SELECT FROM directory_sync_people p WHERE p.sync_id = $3 AND p.external_id = u.external_id)`;

/** The people of a directory whom it does not know any more. */
export class VanishedPeople {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sync: DirectorySync & { readonly startedAt: Date },
    private readonly authority: SyncAuthority,
  ) {}

  /**
   * Refuses a sync that would suspend too many, before it does anything.
   * @param seen the ids of everybody whom the directory knows
   * @throws SyncFailure
   */
  async requireFew(seen: ReadonlySet<string>): Promise<void> {
    let [active, vanished] = [0, 0];
    const sql = `SELECT u.id, u.external_id ${ACTIVE} AND u.id > $3 ORDER BY u.id LIMIT ${PAGE}`;
    for (let after = '', isLast = false; !isLast;) {
      const values = [this.sync.providerId, this.sync.startedAt, after];
      const rows = await this.dataSource.query<{ id: string; external_id: string }[]>(sql, values);
      active += rows.length;
      vanished += rows.filter((row) => !seen.has(row.external_id)).length;
      isLast = rows.length < PAGE;
      after = rows.at(-1)?.id ?? '';
    }
    this.refuseMany(vanished, active, seen.size === 0);
  }

  /**
   * Suspends whoever the sync has not dealt with. All that they have signed in with is worthless then.
   * @param isEmpty whether the directory knows nobody
   * @throws SyncFailure where there are too many
   */
  async suspend(accounts: Accounts, job: Job, report: SyncReport, isEmpty: boolean): Promise<void> {
    const { providerId, startedAt, id, dryRun } = this.sync;
    const [counted] = await this.dataSource.query<{ active: number; vanished: number }[]>(
      `SELECT (SELECT count(*)::integer ${VANISHED}) AS vanished, (SELECT count(*)::integer ${ACTIVE}) AS active`,
      [providerId, startedAt, id],
    );
    const { vanished: left = 0, active: others = 0 } = counted ?? {};
    // Those whom an attempt before this one has suspended count, too.
    const vanished = left + report.suspended;
    const active = others + (dryRun ? 0 : report.suspended);
    for (let isMore = left > 0; isMore;) {
      const written = await accounts.change(async ({ tx, endSessions, record }) => {
        await this.authority.require(tx);
        const users = await this.find(tx);
        isMore = users.length > 0;
        if (users.length === 0) return () => undefined;
        const ids = users.map((user) => user.id);
        if (!dryRun) {
          this.refuseMany(vanished, active, isEmpty);
          await tx.update(User, { id: In(ids) }, { status: 'suspended', suspendedBySync: true });
          await endSessions(ids);
          for (const user of users) await record(user, 'user.update', 'by a directory sync: status to suspended');
        }
        return report.add(
          tx,
          users.map((user) => {
            const externalId = user.externalId ?? '';
            const person = { externalId, email: user.email, username: user.username };
            return { externalId, outcome: 'suspended', change: toSyncChange('suspend', person) };
          }),
        );
      }, job.transaction);
      written();
    }
    this.refuseMany(vanished, active, isEmpty);
  }

  private async find(tx: EntityManager): Promise<User[]> {
    const { providerId, startedAt, id } = this.sync;
    const sql = `SELECT u.id ${VANISHED} ORDER BY u.id LIMIT ${AT_ONCE} FOR UPDATE`;
    const rows = await tx.query<{ id: string }[]>(sql, [providerId, startedAt, id]);
    return tx.findBy(User, { id: In(rows.map((row) => row.id)) });
  }

  private refuseMany(vanished: number, active: number, isEmpty: boolean): void {
    const isMuch = vanished > MAX_SUSPENDED && vanished > active * MAX_SHARE;
    if (this.sync.force || vanished === 0 || !(isMuch || isEmpty)) return;
    const message = isEmpty
      ? `The directory shows nobody, and ${vanished} people would be suspended.`
      : `${vanished} of ${active} people would be suspended.`;
    throw new SyncFailure(`${message} If that is right, sync with force.`, 'refused');
  }
}
