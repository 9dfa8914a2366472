import type { EntityManager } from 'typeorm';
import type { PersonChanges } from '../../users/external-people.js';
import type { User } from '../../users/user.entity.js';
import { DirectorySyncPerson } from './directory-sync-person.entity.js';
import { DirectorySync } from './directory-sync.entity.js';
import type { DirectorySyncChange, DirectorySyncCounts } from './directory-sync.types.js';

const MAX_ERRORS = 100;
const MAX_CHANGES = 1_000;
const LABELS = {
  email: 'email',
  username: 'name',
  groupMemberships: 'groups',
  privileges: 'privileges',
  status: 'status',
} as const;

/** What was done about a person. */
export interface SyncedPerson {
  readonly externalId: string;
  readonly outcome: keyof DirectorySyncCounts;
  /** Why nothing could be done. */
  readonly error?: string;
  readonly change?: DirectorySyncChange;
}

/** What a directory sync has done so far. It is written in the transactions that do it, so it is exact after a crash. */
export class SyncReport {
  private counts: DirectorySyncCounts;
  private errors: string[];
  private changes: DirectorySyncChange[];

  constructor(private readonly sync: Pick<DirectorySync, 'id' | 'counts' | 'errors' | 'changes' | 'dryRun'>) {
    ({ counts: this.counts, errors: this.errors, changes: this.changes } = sync);
  }

  /** How many people it has suspended, or would. */
  get suspended(): number {
    return this.counts.suspended;
  }

  /** Which of the people it has dealt with. */
  async findDone(tx: EntityManager, externalIds: readonly string[]): Promise<Set<string>> {
    const sql = 'SELECT external_id FROM directory_sync_people WHERE sync_id = $1 AND external_id = ANY ($2)';
    const rows = await tx.query<{ external_id: string }[]>(sql, [this.sync.id, externalIds]);
    return new Set(rows.map((row) => row.external_id));
  }

  /**
   * Writes what is done in a transaction.
   * @returns to be called when that is committed
   */
  async add(tx: EntityManager, people: readonly SyncedPerson[]): Promise<() => void> {
    const counts = { ...this.counts };
    for (const { outcome } of people) counts[outcome] += 1;
    const errors = [...this.errors, ...people.flatMap(({ error }) => error ?? [])].slice(0, MAX_ERRORS);
    const changes = this.sync.dryRun
      ? [...this.changes, ...people.flatMap(({ change }) => change ?? [])].slice(0, MAX_CHANGES)
      : this.changes;
    const isMore = { errors: errors.length > this.errors.length, changes: changes.length > this.changes.length };
    const columns = { counts, ...(isMore.errors && { errors }), ...(isMore.changes && { changes }) };
    await tx.update(DirectorySync, { id: this.sync.id }, columns);
    const seen = people.map(({ externalId }) => ({ syncId: this.sync.id, externalId }));
    await tx.createQueryBuilder().insert().into(DirectorySyncPerson).values(seen).orIgnore().execute();
    return () => Object.assign(this, { counts, errors, changes });
  }
}

/** What a sync would do about somebody, for people to read. */
export function toSyncChange(
  action: DirectorySyncChange['action'],
  person: Pick<DirectorySyncChange, 'externalId' | 'email' | 'username'>,
  user?: User,
  changes: PersonChanges = {},
): DirectorySyncChange {
  const { externalId, email, username } = person;
  const texts = (Object.keys(LABELS) as (keyof typeof LABELS)[])
    .filter((name) => user && changes[name] !== undefined)
    .map((name) => `${LABELS[name]}: ${toText(user?.[name])} -> ${toText(changes[name])}`);
  return { action, externalId, email, username, changes: texts };
}

function toText(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value ?? []).join(', ');
}
