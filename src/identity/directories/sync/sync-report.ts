import type { EntityManager } from 'typeorm';
import type { PersonChanges } from '../../users/external-people.js';
import type { User } from '../../users/user.entity.js';
import { DirectorySyncPerson } from './directory-sync-person.entity.js';
import type { DirectorySync } from './directory-sync.entity.js';
import type { DirectorySyncChange, DirectorySyncCounts } from './directory-sync.types.js';

/** That are told of a sync. */
export const MAX_ERRORS = 100;
const MAX_CHANGES = 1_000;
/** Of what is told of one change, such as that of somebody's groups, and of all changes together, as JSON. */
const MAX_TEXT = 1_000;
const MAX_CHARACTERS = 1024 * 1024;
const LABELS = {
  email: 'email',
  username: 'name',
  groupMemberships: 'groups',
  privileges: 'privileges',
  status: 'status',
} as const;

const ADD = `
  UPDATE directory_syncs SET counts = $2::jsonb, errors = errors || $3::jsonb, changes = changes || $4::jsonb WHERE id = $1`;

/** What was done about a person. */
export interface SyncedPerson {
  readonly externalId: string;
  readonly outcome: keyof DirectorySyncCounts;
  /** Why nothing could be done. */
  readonly error?: string;
  readonly change?: DirectorySyncChange;
}

/** How much has been told. */
interface Told {
  readonly errors: number;
  readonly changes: number;
  /** Of the changes. */
  readonly characters: number;
}

/**
 * What a directory sync has done so far. It is written in the transactions that do it, so it is exact after a crash. What
 * it tells of people lies in the database alone: there it is forgotten when one of them is deleted.
 */
export class SyncReport {
  private counts: DirectorySyncCounts;
  private told: Told;

  constructor(private readonly sync: Pick<DirectorySync, 'id' | 'counts' | 'errors' | 'changes' | 'dryRun'>) {
    const { counts, errors, changes } = sync;
    this.counts = counts;
    this.told = { errors: errors.length, changes: changes.length, characters: JSON.stringify(changes).length };
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
    const errors = people.flatMap(({ error }) => error ?? []).slice(0, MAX_ERRORS - this.told.errors);
    const changes = this.sync.dryRun ? this.changesWithRoom(people) : [];
    const told = {
      errors: this.told.errors + errors.length,
      changes: this.told.changes + changes.length,
      characters: this.told.characters + JSON.stringify(changes).length,
    };
    await tx.query(ADD, [this.sync.id, JSON.stringify(counts), JSON.stringify(errors), JSON.stringify(changes)]);
    const seen = people.map(({ externalId }) => ({ syncId: this.sync.id, externalId }));
    await tx.createQueryBuilder().insert().into(DirectorySyncPerson).values(seen).orIgnore().execute();
    return () => Object.assign(this, { counts, told });
  }

  private changesWithRoom(people: readonly SyncedPerson[]): DirectorySyncChange[] {
    let { characters } = this.told;
    return people
      .flatMap(({ change }) => change ?? [])
      .filter((change) => (characters += JSON.stringify(change).length) <= MAX_CHARACTERS)
      .slice(0, MAX_CHANGES - this.told.changes);
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
    .map((name) => shorten(`${LABELS[name]}: ${toText(user?.[name])} -> ${toText(changes[name])}`));
  return { action, externalId, email, username, changes: texts };
}

function toText(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value ?? []).join(', ');
}

function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
