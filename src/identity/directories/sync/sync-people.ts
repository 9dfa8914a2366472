import { In } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { isUniqueViolation, isWorthRepeating } from '../../../platform/database/postgres-errors.js';
import type { Job } from '../../../platform/jobs/job.types.js';
import type { AccountChange, Accounts } from '../../users/accounts.js';
import { changesOf } from '../../users/external-people.js';
import type { ExternalPeople, ExternalPerson } from '../../users/external-people.js';
import { User } from '../../users/user.entity.js';
import type { SyncAuthority } from './sync-authority.js';
import { toSyncChange } from './sync-report.js';
import type { SyncReport, SyncedPerson } from './sync-report.js';

/** Whoever waits for an address of somebody else, and the characters of their names and groups. */
const MAX_WAITING = 1_000;
const MAX_WAITING_CHARACTERS = 4 * 1024 * 1024;
const TRIES = 3;

interface SyncPeopleParts {
  readonly accounts: Accounts;
  readonly people: ExternalPeople;
  readonly job: Job;
  readonly authority: SyncAuthority;
  readonly report: SyncReport;
  readonly provider: { readonly id: string; readonly tenantId: string };
  readonly dryRun: boolean;
}

/** Brings the accounts of people up to date, some at a time. */
export class SyncPeople {
  /** Their addresses are those of other accounts, which may get others themselves. */
  private readonly waiting: ExternalPerson[] = [];
  private waitingCharacters = 0;

  constructor(private readonly parts: SyncPeopleParts) {}

  /** Brings some accounts up to date, in one transaction. */
  async apply(people: readonly ExternalPerson[]): Promise<void> {
    let waiting: readonly ExternalPerson[] = [];
    await this.write(people, async (change, unseen, users) => {
      const holders = await this.findHolders(change.tx, unseen);
      const result = { done: [] as SyncedPerson[], waiting: [] as ExternalPerson[] };
      for (const person of unseen) {
        const user = users.get(person.externalId);
        const holder = holders.get(person.email);
        if (holder !== undefined && holder !== user?.id) {
          result.waiting.push(person);
          continue;
        }
        result.done.push(await this.settle(change, person, user));
        // Nobody else in this transaction may have it.
        holders.set(person.email, user?.id ?? person.externalId);
      }
      ({ waiting } = result);
      return result.done;
    });
    const tooMany = waiting.filter((person) => !this.keep(person));
    if (tooMany.length > 0) await this.write(tooMany, async (_, unseen) => unseen.map(addressTaken));
  }

  /** Gives those an address who waited for it, as people do who have exchanged theirs. */
  async applyWaiting(): Promise<void> {
    const people = this.waiting.splice(0);
    this.waitingCharacters = 0;
    if (people.length === 0) return;
    await this.write(people, async (change, unseen, users) => {
      const holders = await this.findHolders(change.tx, unseen);
      const movable = findMovable(unseen, users, holders);
      // No two accounts have one address at any time: this is nobody's.
      const moving = movable.flatMap(({ externalId }) => users.get(externalId)?.id ?? []);
      if (!this.parts.dryRun) await change.tx.update(User, { id: In(moving) }, { email: () => 'id' });
      const done = unseen.filter((person) => !movable.includes(person)).map(addressTaken);
      for (const person of movable) done.push(await this.settle(change, person, users.get(person.externalId)));
      return done;
    });
  }

  /** Counts what is no person. @param externalId unlike any other */
  async fail(externalId: string, error: string): Promise<void> {
    const nobody = { externalId, email: '', username: '' };
    await this.write([nobody], async (_, unseen) => unseen.map(() => ({ externalId, outcome: 'failed', error })));
  }

  /** Lets somebody wait. @returns false where there is no room */
  private keep(person: ExternalPerson): boolean {
    const { email, username, groups = [] } = person;
    const characters = groups.reduce((sum, { length }) => sum + length, email.length + username.length);
    if (this.waiting.length >= MAX_WAITING || this.waitingCharacters + characters > MAX_WAITING_CHARACTERS)
      return false;
    this.waiting.push(person);
    this.waitingCharacters += characters;
    return true;
  }

  private async settle(change: AccountChange, person: ExternalPerson, user: User | undefined): Promise<SyncedPerson> {
    const { externalId } = person;
    const { dryRun, people, provider } = this.parts;
    if (!user) {
      if (!dryRun) await people.create(change, provider, person);
      return { externalId, outcome: 'created', change: toSyncChange('create', person) };
    }
    if (user.status === 'deleted') return { externalId, outcome: 'failed', error: `${externalId}: is being deleted.` };
    const changes = changesOf(user, person, { isSync: true });
    if (Object.keys(changes).length === 0) return { externalId, outcome: 'unchanged' };
    const told = toSyncChange('update', person, user, changes);
    if (!dryRun) await people.update(change, user, person, { isSync: true });
    return { externalId, outcome: 'updated', change: told };
  }

  /** Somebody may sign in for the first time at the same moment: then the second try finds the account. */
  private async write(
    people: readonly ExternalPerson[],
    work: (
      change: AccountChange,
      unseen: readonly ExternalPerson[],
      users: ReadonlyMap<string, User>,
    ) => Promise<SyncedPerson[]>,
  ): Promise<void> {
    const { accounts, authority, job, report, provider } = this.parts;
    const ids = people.map(({ externalId }) => externalId);
    for (let triesLeft = TRIES; ; triesLeft -= 1) {
      try {
        const written = await accounts.change(async (change) => {
          await authority.require(change.tx);
          const done = await report.findDone(change.tx, ids);
          const unseen = firstOfEach(people).filter(({ externalId }) => !done.has(externalId));
          if (unseen.length === 0) return () => undefined;
          const where = { identityProviderId: provider.id, externalId: In(ids) };
          const order = { id: 'ASC' } as const;
          const found = await change.tx.find(User, { where, order, lock: { mode: 'pessimistic_write' } });
          const users = new Map(found.map((user) => [user.externalId ?? '', user]));
          return report.add(change.tx, await work(change, unseen, users));
        }, job.transaction);
        return written();
      } catch (error) {
        if (triesLeft === 0 || !(isUniqueViolation(error) || isWorthRepeating(error))) throw error;
      }
    }
  }

  private async findHolders(tx: EntityManager, people: readonly ExternalPerson[]): Promise<Map<string, string>> {
    const sql = 'SELECT id, email FROM users WHERE identity_provider_id = $1 AND email = ANY ($2)';
    const emails = people.map(({ email }) => email);
    const rows = await tx.query<{ id: string; email: string }[]>(sql, [this.parts.provider.id, emails]);
    return new Map(rows.map(({ id, email }) => [email, id]));
  }
}

/** Those whose addresses are free once all of them have moved. */
function findMovable(
  people: readonly ExternalPerson[],
  users: ReadonlyMap<string, User>,
  holders: ReadonlyMap<string, string>,
): ExternalPerson[] {
  let movable = [...new Map(people.toReversed().map((person) => [person.email, person])).values()];
  for (let before = -1; movable.length !== before;) {
    before = movable.length;
    const leaving = new Set(movable.map(({ externalId }) => users.get(externalId)?.id));
    movable = movable.filter(({ email }) => {
      const holder = holders.get(email);
      return holder === undefined || leaving.has(holder);
    });
  }
  return movable;
}

function firstOfEach(people: readonly ExternalPerson[]): ExternalPerson[] {
  return [...new Map(people.toReversed().map((person) => [person.externalId, person])).values()].toReversed();
}

function addressTaken({ externalId }: ExternalPerson): SyncedPerson {
  const error = `${externalId}: another account of the provider has the address.`;
  return { externalId, outcome: 'failed', error };
}
