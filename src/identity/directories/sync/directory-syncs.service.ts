import { In } from 'typeorm';
import type { DataSource } from 'typeorm';
import { actorOf } from '../../../access/audit-actor.js';
import type { AuditRecorder } from '../../../platform/audit/audit-recorder.js';
import { tenantScope } from '../../../access/tenancy.js';
import type { AdminScope } from '../../../access/tenancy.js';
import type { Caller } from '../../../access/caller.js';
import type { ErasedUser, Erasure } from '../../../domain-module.js';
import { Conflict, NotFound } from '../../../errors.js';
import type { Connection, PageArgs } from '../../../graph/connection.js';
import { readTablePage } from '../../../graph/table-page.js';
import { EventIterator } from '../../../platform/async/event-iterator.js';
import { untilLast } from '../../../platform/async/until-last.js';
import type { Topics } from '../../../platform/cluster/topics.js';
import { isUniqueViolation } from '../../../platform/database/postgres-errors.js';
import { isId, newId } from '../../../platform/ids.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { JobRecords } from '../../../platform/jobs/job-records.js';
import type { JobRecord } from '../../../platform/jobs/job.types.js';
import { IdentityProvider } from '../../providers/identity-provider.entity.js';
import { DIRECTORY_SYNC_JOB } from './directory-sync-runner.js';
import { DirectorySyncPerson } from './directory-sync-person.entity.js';
import { DirectorySync } from './directory-sync.entity.js';
import { syncTopic } from './sync-topic.js';

const OVER: ReadonlySet<string> = new Set(['completed', 'failed', 'refused']);
const NOBODY = { created: 0, updated: 0, suspended: 0, unchanged: 0, failed: 0 };
/** What syncs say of people is forgotten. */
const TEXTS_KEPT = "interval '7 days'";
const KEPT = "interval '1 year'";

interface DirectorySyncsParts {
  readonly dataSource: DataSource;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly jobRecords: Pick<JobRecords, 'find'>;
  readonly topics: Topics;
  readonly audit: AuditRecorder;
}

/** How a directory is to be synced; what is left out is false. */
export interface DirectorySyncOptions {
  /** Also suspends who has vanished. */
  readonly full?: boolean | null;
  /** Only tells what it would do. */
  readonly dryRun?: boolean | null;
  /** Suspends however many. */
  readonly force?: boolean | null;
}

/** Directory syncs, for administrators (docs/directories.md, Sync). */
export class DirectorySyncsService {
  constructor(private readonly parts: DirectorySyncsParts) {}

  /**
   * Asks for a sync. The first one is full, as is the first one after a change of the directory's settings.
   * @throws NotFound also for the directories of others; Conflict where one is under way, or nobody may sign in by it
   */
  async start(caller: Caller, providerId: string, options: DirectorySyncOptions): Promise<DirectorySync> {
    const provider = await this.findDirectory(caller, providerId, 'admin:write');
    if (!provider.approved || !provider.enabled) throw new Conflict('conflict', 'The directory is not active.');
    try {
      return await this.enqueue(caller, provider, options);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
    await this.endAbandoned(providerId);
    try {
      return await this.enqueue(caller, provider, options);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new Conflict('conflict', 'A sync of the directory is under way.');
    }
  }

  /** A page of the syncs of a directory. @throws NotFound also for the directories of others */
  async list(caller: Caller, providerId: string, page: PageArgs): Promise<Connection<DirectorySync>> {
    await this.findDirectory(caller, providerId);
    const rows = this.parts.dataSource.getRepository(DirectorySync);
    return readTablePage(page, rows, { providerId }, (sync) => sync);
  }

  /** @throws NotFound also for those of others, and of another directory than the one that is named */
  async get(caller: Caller, id: string, providerId?: string | null): Promise<DirectorySync> {
    const where = { ...tenantScope(caller), id, ...(providerId != null && { providerId }) };
    const mayExist = isId('syn', id) && (providerId == null || isId('dir', providerId));
    const row = mayExist && (await this.parts.dataSource.getRepository(DirectorySync).findOneBy(where));
    if (!row) throw new NotFound('The directory sync does not exist.');
    return row;
  }

  /** A sync as it is now and whenever it has gone on, until it is over. It is asked for as `get` does, each time. */
  watch(caller: Caller, id: string): AsyncIterableIterator<DirectorySync> {
    const states = new EventIterator<unknown, DirectorySync>({
      capacity: 1,
      listen: (push) => {
        push(undefined);
        return this.parts.topics.subscribe(syncTopic(id), push);
      },
      read: () => this.get(caller, id),
    });
    return untilLast(states, ({ status }) => OVER.has(status));
  }

  /**
   * Ends the syncs whose jobs were deleted, given up, or not done because their users may not sign in any more.
   * @param providerId that of a directory; undefined: of all
   */
  async endAbandoned(providerId?: string): Promise<void> {
    const { dataSource, jobRecords, topics } = this.parts;
    const where = { status: In(['queued', 'running']), ...(providerId !== undefined && { providerId }) };
    const select = { id: true, jobId: true, status: true } as const;
    for (const { id, jobId, status } of await dataSource.getRepository(DirectorySync).find({ where, select })) {
      const reason = toEndingReason(await jobRecords.find(jobId));
      if (reason === undefined) continue;
      await dataSource.transaction(async (tx) => {
        const ending = { status: 'failed' as const, errors: [reason], finishedAt: new Date() };
        const { affected } = await tx.update(DirectorySync, { id, status }, ending);
        // Where it goes on after all, it has to know whom it has dealt with.
        if (affected) await tx.delete(DirectorySyncPerson, { syncId: id });
      });
      topics.publish(syncTopic(id), {});
    }
  }

  /** Forgets what syncs have said of people, and old ones as a whole. */
  async prune(): Promise<void> {
    const { dataSource } = this.parts;
    await dataSource.query(`
      UPDATE directory_syncs SET errors = '[]', changes = '[]'
      WHERE finished_at < now() - ${TEXTS_KEPT} AND (errors <> '[]' OR changes <> '[]')`);
    await dataSource.query(`DELETE FROM directory_syncs WHERE finished_at < now() - ${KEPT}`);
  }

  /** Takes a user out of the syncs of its tenant: what they tell of people is forgotten, and who has asked for them. */
  readonly eraseUser = async ({ id, tenantId, pseudonym }: ErasedUser, { transaction }: Erasure): Promise<void> => {
    await transaction(async (tx) => {
      await tx.query('UPDATE directory_syncs SET user_id = $2 WHERE user_id = $1', [id, pseudonym]);
      await tx.query(
        `UPDATE directory_syncs SET errors = '[]', changes = '[]'
         WHERE tenant_id = $1 AND (errors <> '[]' OR changes <> '[]')`,
        [tenantId],
      );
    });
  };

  private enqueue(caller: Caller, provider: IdentityProvider, options: DirectorySyncOptions): Promise<DirectorySync> {
    const { id: providerId, tenantId, revision: providerRevision } = provider;
    const { userId } = caller;
    return this.parts.dataSource.transaction(async (tx) => {
      const basis = { providerId, providerRevision, status: 'completed', dryRun: false } as const;
      const id = newId('syn');
      const owner = { userId, tenantId: caller.tenantId };
      // A slow directory keeps its own tenant waiting, whoever has asked.
      const request = { kind: DIRECTORY_SYNC_JOB, payload: { syncId: id }, owner, tenantId };
      const jobId = await this.parts.jobs.enqueue(request, tx);
      await tx.insert(DirectorySync, {
        id,
        providerId,
        tenantId,
        userId,
        jobId,
        providerRevision,
        status: 'queued',
        full: options.full === true || !(await tx.existsBy(DirectorySync, basis)),
        dryRun: options.dryRun ?? false,
        force: options.force ?? false,
        counts: NOBODY,
        errors: [],
        changes: [],
        highWater: null,
        groupsDigest: null,
        createdAt: new Date(),
        startedAt: null,
        finishedAt: null,
      });
      const target = { type: 'identity_provider', id: providerId };
      await this.parts.audit.record(tx, actorOf(caller), { tenantId, action: 'directory_sync.start', target });
      return tx.findOneByOrFail(DirectorySync, { id });
    });
  }

  private async findDirectory(caller: Caller, id: string, scope?: AdminScope): Promise<IdentityProvider> {
    const where = { ...tenantScope(caller, scope), id, kind: 'ldap' } as const;
    const row = isId('dir', id) && (await this.parts.dataSource.getRepository(IdentityProvider).findOneBy(where));
    if (!row) throw new NotFound('The directory does not exist.');
    return row;
  }
}

/** Why a sync that is not over will not go on; undefined: it will. */
function toEndingReason(job: JobRecord | undefined): string | undefined {
  if (!job || job.status === 'completed') return 'Its job is not there any more.';
  if (job.status === 'cancelled') return 'Who asked for the sync may not sign in any more.';
  return job.status === 'failed' ? `Its job was given up: ${job.error ?? 'nobody knows why.'}` : undefined;
}
