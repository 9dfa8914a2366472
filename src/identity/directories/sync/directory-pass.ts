import type { ByteBudget } from '../../../platform/async/byte-budget.js';
import { CooperativeYield } from '../../../platform/async/cooperative-yield.js';
import type { Job } from '../../../platform/jobs/job.types.js';
import type { DataSource } from 'typeorm';
import type { Accounts } from '../../users/accounts.js';
import type { ExternalPeople, ExternalPerson } from '../../users/external-people.js';
import type { Directory } from '../directory.js';
import type { DirectoryPerson } from '../directory-person.js';
import { hasGroups } from '../groups/groups-to-search.js';
import type { GroupSource } from '../groups/group-source.js';
import { LoadedGroups } from '../groups/loaded-groups.js';
import { findMemberships } from '../groups/memberships.js';
import { SearchedGroups } from '../groups/searched-groups.js';
import { DirectoryScan, unknownIdOf } from './directory-scan.js';
import type { DirectorySync } from './directory-sync.entity.js';
import type { SyncAuthority } from './sync-authority.js';
import { SyncPeople } from './sync-people.js';
import { SyncReport } from './sync-report.js';
import { VanishedPeople } from './vanished-people.js';

/** People of a transaction: on the embedded database everybody else waits for it. */
const BATCH = 25;

/** What changes accounts. */
export interface AccountParts {
  readonly dataSource: DataSource;
  readonly accounts: Accounts;
  readonly people: ExternalPeople;
}

interface DirectoryPassParts extends AccountParts {
  readonly job: Job;
  readonly authority: SyncAuthority;
  readonly sync: DirectorySync & { readonly startedAt: Date };
  readonly directory: Directory;
  /** Whose changes this one goes on from. */
  readonly last: DirectorySync | null;
  /** What all syncs of this process may keep of groups. */
  readonly groupMemory: ByteBudget;
  /** Called when the directory has told something, or some people have been dealt with. */
  readonly moved: () => void;
  /** Called when a page of people has been dealt with. */
  readonly progress: () => void;
}

/** What a sync knows when it is done, for the next one. */
export interface PassResult {
  readonly highWater: string | null;
  readonly groupsDigest: string | null;
}

interface Groups {
  readonly source?: GroupSource;
  readonly release?: () => void;
  /** Null: nobody knows whether a group has changed. */
  readonly digest: string | null;
}

/** One reading of a directory, from the beginning to the end. */
export class DirectoryPass {
  private readonly report: SyncReport;
  private readonly accounts: SyncPeople;
  private seen = 0;
  /** Entries that do not say who they are: somebody who seems to have vanished may be one of them. */
  private unknown = 0;

  constructor(private readonly parts: DirectoryPassParts) {
    const { sync, directory } = parts;
    this.report = new SyncReport(sync);
    const { report } = this;
    this.accounts = new SyncPeople({ ...parts, report, provider: directory.provider, dryRun: sync.dryRun });
  }

  /** @throws DirectoryFailure, SyncFailure */
  async run(): Promise<PassResult> {
    const { sync, directory, dataSource, authority, moved } = this.parts;
    const connection = await directory.connectToSearch();
    const scan = new DirectoryScan(connection, directory.provider.settings, moved);
    const vanished = new VanishedPeople(dataSource, sync, authority);
    const clock = await scan.readClock();
    if (sync.full && !sync.force && !sync.dryRun) await vanished.requireFew(await this.collectIds(scan));
    const groups = await this.loadGroups();
    const since = this.since(groups);
    try {
      for await (const page of scan.pages(since)) await this.apply(page, groups.source);
      await this.accounts.applyWaiting();
    } finally {
      groups.release?.();
    }
    if (sync.full && this.unknown === 0) {
      await vanished.suspend(this.parts.accounts, this.parts.job, this.report, this.seen === 0);
    }
    return {
      highWater: scan.nextHighWater(since, clock, sync.startedAt),
      groupsDigest: groups.digest,
    };
  }

  private async collectIds(scan: DirectoryScan): Promise<Set<string>> {
    const ids = new Set<string>();
    for await (const page of scan.pages()) {
      for (const { externalId } of page) if (externalId !== undefined) ids.add(externalId);
    }
    return ids;
  }

  /** On a connection of its own: some directories keep one paged search for each. */
  private async loadGroups(): Promise<Groups> {
    const { directory, groupMemory: budget, moved } = this.parts;
    const { settings } = directory.provider;
    if (!hasGroups(settings)) return { digest: '' };
    const connection = await directory.connectToSearch();
    const loaded = await LoadedGroups.load({ connection, settings, budget, moved });
    if (loaded) return { source: loaded, digest: loaded.digest(), release: () => loaded.release() };
    return { source: new SearchedGroups(connection, settings), digest: null };
  }

  /** Undefined: everybody is read. Where a group has changed, it may be anybody who is in it now, or was. */
  private since({ digest }: Groups): string | undefined {
    const { sync, last } = this.parts;
    if (sync.full || last?.highWater == null || digest === null || digest !== last.groupsDigest) return undefined;
    return last.highWater;
  }

  private async apply(page: readonly DirectoryPerson[], groups: GroupSource | undefined): Promise<void> {
    this.seen += page.length;
    const turn = new CooperativeYield();
    for (let at = 0; at < page.length; at += BATCH) {
      const people: ExternalPerson[] = [];
      for (const person of page.slice(at, at + BATCH)) {
        if (person.externalId === undefined) await this.fail(person);
        else people.push(await this.toExternalPerson(person, person.externalId, groups));
        if (turn.isDue) await turn.yield();
      }
      if (people.length > 0) await this.accounts.apply(people);
      this.parts.moved();
    }
    this.parts.progress();
  }

  private async toExternalPerson(
    { dn, emails, name }: DirectoryPerson,
    externalId: string,
    groups: GroupSource | undefined,
  ): Promise<ExternalPerson> {
    const memberships = await findMemberships(this.parts.directory.provider.settings, groups, dn);
    return { externalId, email: emails[0] ?? '', username: name, ...memberships };
  }

  private async fail(person: DirectoryPerson): Promise<void> {
    this.unknown += 1;
    const { id_attribute: name } = this.parts.directory.provider.settings;
    const nobody = this.parts.sync.full ? ' Nobody is suspended.' : '';
    await this.accounts.fail(unknownIdOf(person), `An entry has no ${name}, or it may not be read.${nobody}`);
  }
}
