import type { Logger } from 'pino';
import { IsNull, Not } from 'typeorm';
import type { ByteBudget } from '../../../platform/async/byte-budget.js';
import { InactivitySignal } from '../../../platform/async/inactivity-signal.js';
import type { Topics } from '../../../platform/cluster/topics.js';
import type { EgressRule } from '../../../platform/net/egress-rule.js';
import { isDatabaseUnavailable } from '../../../platform/database/postgres-errors.js';
import type { Job } from '../../../platform/jobs/job.types.js';
import type { OpenedProvider, ProviderStore } from '../../providers/provider-store.js';
import type { LdapSettings } from '../../providers/provider-settings.js';
import { Directory } from '../directory.js';
import { DirectoryFailure } from '../ldap/directory-failure.js';
import { DirectoryPass } from './directory-pass.js';
import type { AccountParts, PassResult } from './directory-pass.js';
import { DirectorySyncPerson } from './directory-sync-person.entity.js';
import { DirectorySync } from './directory-sync.entity.js';
import { SyncFailure } from './sync-failure.js';
import { SyncAuthority } from './sync-authority.js';
import { MAX_ERRORS } from './sync-report.js';
import { syncTopic } from './sync-topic.js';

/** The kind of the jobs that bring the accounts of a directory's people up to date. */
export const DIRECTORY_SYNC_JOB = 'directory-sync';

/** All of one attempt. */
const LONGEST_MS = 60 * 60 * 1_000;
/** An attempt ends in which nobody is read for so long. */
const INACTIVE_MS = 5 * 60 * 1_000;
/** What fails so often for a reason that nobody foresaw is given up. */
const MAX_ATTEMPTS = 4;

/** What directory syncs use. */
export interface DirectorySyncRunnerParts extends AccountParts {
  readonly store: ProviderStore;
  /** For connections to addresses that tenants have given. */
  readonly rule: EgressRule;
  /** What all syncs of this process may keep of groups. */
  readonly groupMemory: ByteBudget;
  readonly topics: Topics;
  readonly log: Logger;
}

type StartedSync = DirectorySync & { readonly startedAt: Date };

interface SyncEnding extends Partial<PassResult> {
  readonly status: DirectorySync['status'];
  /** Why it could not be finished. */
  readonly failure?: string;
}

/** Does directory syncs, as jobs: whoever takes one up again goes on where it was left. */
export class DirectorySyncRunner {
  constructor(private readonly parts: DirectorySyncRunnerParts) {}

  /** The handler of the jobs. */
  readonly run = async (job: Job): Promise<void> => {
    const id = String(job.payload.syncId);
    const sync = await job.transaction(async (tx) => {
      const found = await tx.findOne(DirectorySync, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!found || (found.status !== 'queued' && found.status !== 'running')) return undefined;
      const begun = { status: 'running', startedAt: found.startedAt ?? new Date() } as const;
      await tx.update(DirectorySync, { id }, begun);
      return Object.assign(found, begun) as StartedSync;
    });
    if (!sync) return;
    this.tell(id);
    const { failure, ...ending } = await this.attempt(job, sync);
    await job.transaction(async (tx) => {
      const found = await tx.findOne(DirectorySync, { where: { id }, lock: { mode: 'pessimistic_write' } });
      const errors = [...(failure === undefined ? [] : [failure]), ...(found?.errors ?? [])].slice(0, MAX_ERRORS);
      await tx.update(DirectorySync, { id }, { ...ending, errors, finishedAt: new Date() });
      await tx.delete(DirectorySyncPerson, { syncId: id });
    });
    this.tell(id);
    this.parts.log.info({ sync: id, provider: sync.providerId, status: ending.status }, 'a directory sync is over');
  };

  private async attempt(job: Job, sync: StartedSync): Promise<SyncEnding> {
    const inactivity = new InactivitySignal(INACTIVE_MS);
    try {
      const authority = new SyncAuthority(sync, job.owner);
      const provider = await this.openProvider(job, sync, authority);
      const signal = AbortSignal.any([job.signal, AbortSignal.timeout(LONGEST_MS), inactivity.signal]);
      const last = await this.findLast(sync);
      const hooks = { moved: inactivity.touch, progress: () => this.tell(sync.id) };
      const result = await Directory.use(provider, this.parts.rule, signal, (directory) =>
        new DirectoryPass({ ...this.parts, ...hooks, job, authority, sync, directory, last }).run(),
      );
      return { status: 'completed', ...result };
    } catch (error) {
      const { status, message } = toFailure(error, job, inactivity.signal);
      const { id, providerId } = sync;
      this.parts.log.warn({ sync: id, provider: providerId, reason: message }, 'a directory sync failed');
      return { status, failure: message };
    } finally {
      inactivity.close();
    }
  }

  /** What was true when the sync was asked for may not be so any more. @throws SyncFailure */
  private async openProvider(
    job: Job,
    { providerId }: DirectorySync,
    authority: SyncAuthority,
  ): Promise<OpenedProvider<LdapSettings>> {
    const provider = await job.transaction(async (tx) => {
      await authority.require(tx);
      return this.parts.store.find(providerId, tx);
    });
    if (provider?.settings.kind === 'ldap') return provider as OpenedProvider<LdapSettings>;
    throw new SyncFailure('The directory is not active.');
  }

  /** The last sync that has read with the same settings, and done what it read. */
  private findLast({ providerId, providerRevision }: DirectorySync): Promise<DirectorySync | null> {
    return this.parts.dataSource.getRepository(DirectorySync).findOne({
      where: { providerId, providerRevision, dryRun: false, status: 'completed', highWater: Not(IsNull()) },
      order: { id: 'DESC' },
    });
  }

  private tell(id: string): void {
    this.parts.topics.publish(syncTopic(id), {});
  }
}

/** @throws Error where the job is to be tried again */
function toFailure(error: unknown, job: Job, inactivity: AbortSignal): SyncFailure {
  if (job.signal.aborted) throw error;
  if (error instanceof SyncFailure) return error;
  if (inactivity.aborted) return new SyncFailure('The directory told of nobody for 5 minutes.');
  if (error instanceof DirectoryFailure) return new SyncFailure(error.message);
  if (isDatabaseUnavailable(error) || job.attempt < MAX_ATTEMPTS) throw error;
  return new SyncFailure('The sync failed for an unexpected reason.');
}
