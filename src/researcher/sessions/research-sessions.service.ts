import { In, IsNull, Not } from 'typeorm';
import type { DataSource, EntityManager, Repository } from 'typeorm';
import { hasScope } from '../../access/access-rule.js';
import { actorOf } from '../../access/audit-actor.js';
import type { Caller } from '../../access/caller.js';
import { Conflict, Forbidden, NotFound } from '../../errors.js';
import { behind, readPage } from '../../graph/connection.js';
import type { Connection, PageArgs } from '../../graph/connection.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { lockInTransaction } from '../../platform/database/advisory-lock.js';
import { newId } from '../../platform/ids.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { deleteWaitingJobs } from '../../platform/jobs/waiting-jobs.js';
import type { CredibilityService } from '../credibility/credibility.service.js';
import type { ResearchErasure } from '../erasure/research-erasure.js';
import type { WebSearch } from '../search/web-search.js';
import { appendEvents } from './append-events.js';
import type { ResearchNotifier } from './research-notifier.js';
import { ENDED, ResearchSession } from './research-session.entity.js';
import type { ResearchSessionInput } from './research-session.inputs.js';
import { findOwn, lockOwn, ownedBy } from './session-access.js';
import { statusEvent } from './session-events.js';
import { enqueueSession, SESSION_JOB } from './session-job.js';
import { checkedSettings } from './session-settings.js';
import type { ResearchSettings } from './session-settings.js';

/** Sessions of one user, and those of them that are not over. */
const MAX_SESSIONS = 10_000;
const MAX_OPEN = 20;

interface ResearchSessionsParts {
  readonly dataSource: DataSource;
  readonly audit: AuditRecorder;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  /** @throws NotFound `model_not_found`, Conflict where the caller cannot have chats with a model */
  readonly checkModel: (caller: Caller, model: string) => Promise<void>;
  /** Whether the caller may read all of these knowledge bases at this moment. */
  readonly canReadBases: (caller: Caller, ids: readonly string[]) => Promise<boolean>;
  readonly credibility: Pick<CredibilityService, 'get'>;
  readonly web: Pick<WebSearch, 'requireProvider'>;
  readonly erasure: Pick<ResearchErasure, 'enqueue'>;
  readonly notifier: Pick<ResearchNotifier, 'changed' | 'cancelled'>;
}

/** Sessions, each its user's alone: those of others do not exist, for administrators neither. */
export class ResearchSessionsService {
  constructor(private readonly parts: ResearchSessionsParts) {}

  /** A page of the caller's, without their reports. */
  list(caller: Caller, page: PageArgs): Promise<Connection<ResearchSession>> {
    const rows = this.parts.dataSource.getRepository(ResearchSession);
    const where = ownedBy(caller);
    const select = withoutReports(rows);
    return readPage(page, {
      keyOf: ({ id }) => id,
      read: (take, after, order) =>
        rows.find({ select, where: { ...where, ...behind(after, order) }, order: { id: order }, take }),
      count: async (take) => (await rows.find({ select: { id: true }, where, take })).length,
    });
  }

  /** @throws NotFound also for those of others */
  get(caller: Caller, id: string): Promise<ResearchSession> {
    return findOwn(this.parts.dataSource.manager, caller, id);
  }

  /** Those of the ids that are the caller's, in any order and without their reports. */
  find(caller: Caller, ids: readonly string[]): Promise<ResearchSession[]> {
    const rows = this.parts.dataSource.getRepository(ResearchSession);
    return rows.find({ select: withoutReports(rows), where: { ...ownedBy(caller), id: In([...ids]) } });
  }

  /**
   * Makes a session, and puts it into the queue.
   * @throws BadRequest that names the field; Forbidden where knowledge bases are named by a token that may not read them;
   * NotFound for a model, a configuration, a knowledge base or a session that the caller does not have; Conflict where the
   * model has no chats, the session that is replayed is not over, there is nothing to search, or the caller has too many
   */
  async create(caller: Caller, input: ResearchSessionInput): Promise<ResearchSession> {
    const settings = await this.usable(caller, checkedSettings(input));
    const { dataSource, audit, jobs } = this.parts;
    const session = dataSource.getRepository(ResearchSession).create(newSession(caller, settings) as object);
    await dataSource.transaction(async (tx) => {
      await lockSessions(tx, caller);
      const count = await tx.countBy(ResearchSession, { ownerId: caller.userId });
      if (count >= MAX_SESSIONS) throw new Conflict('conflict', `A user may have ${MAX_SESSIONS} sessions at most.`);
      const behind = await countOpen(tx, caller);
      await tx.insert(ResearchSession, session as never);
      await appendEvents(tx, session.id, [statusEvent(session)]);
      await enqueueSession(tx, jobs, session, behind);
      await audit.record(tx, actorOf(caller), eventOf(caller, 'research_session.create', session.id));
    });
    return session;
  }

  /** Ends a session that is not over; its job stops within a second. @throws NotFound also for those of others; Conflict */
  cancel(caller: Caller, id: string): Promise<ResearchSession> {
    return this.change(caller, id, 'research_session.cancel', async (tx, session) => {
      if (ENDED.includes(session.status))
        throw new Conflict('conflict', 'The session is over: it cannot be cancelled.');
      const ended = { status: 'cancelled' as const, reason: null, error: null, completedAt: new Date() };
      await tx.update(ResearchSession, { id }, ended);
      await deleteWaitingJobs(tx, SESSION_JOB, { sessionId: id });
      await appendEvents(tx, id, [statusEvent({ ...session, ...ended })]);
    });
  }

  /**
   * Begins another run of a session that has failed, which goes on behind the steps that are done. From now on it is this
   * token's: what it may read is asked of it.
   * @throws NotFound also for those of others, and for a knowledge base that the caller may not read any more; Conflict
   * where it has not failed, or too many are not over; Forbidden where it searches knowledge bases and the token may not
   * read them
   */
  async resume(caller: Caller, id: string): Promise<ResearchSession> {
    const { status, knowledgebaseIds } = await findOwn(this.parts.dataSource.manager, caller, id);
    requireFailed(status);
    await this.requireBases(caller, knowledgebaseIds);
    return this.change(caller, id, 'research_session.resume', async (tx, session) => {
      requireFailed(session.status);
      await lockSessions(tx, caller);
      const behind = await countOpen(tx, caller);
      const run = session.run + 1;
      const begun = { run, status: 'queued' as const, reason: null, error: null, startedAt: null, completedAt: null };
      await tx.update(ResearchSession, { id }, { ...begun, ...tokenOf(caller) });
      await appendEvents(tx, id, [statusEvent({ ...session, ...begun })]);
      await enqueueSession(tx, this.parts.jobs, { ...session, run }, behind);
    });
  }

  /** Deletes a session: it is gone when this has returned, what belongs to it soon after. @throws NotFound also for those of others */
  async delete(caller: Caller, id: string): Promise<void> {
    const { dataSource, audit, erasure } = this.parts;
    await dataSource.transaction(async (tx) => {
      const { tenantId } = await lockOwn(tx, caller, id);
      await tx.update(ResearchSession, { id }, { deletedTime: new Date() });
      await deleteWaitingJobs(tx, SESSION_JOB, { sessionId: id });
      await erasure.enqueue(tx, { sessionId: id }, tenantId);
      await audit.record(tx, actorOf(caller), eventOf(caller, 'research_session.delete', id));
    });
    this.parts.notifier.cancelled(id);
  }

  /** Changes a session that is locked, and records and tells that. @returns it as it is then */
  private async change(
    caller: Caller,
    id: string,
    action: `research_session.${string}`,
    work: (tx: EntityManager, session: ResearchSession) => Promise<void>,
  ): Promise<ResearchSession> {
    const { dataSource, audit, notifier } = this.parts;
    const changed = await dataSource.transaction(async (tx) => {
      await work(tx, await lockOwn(tx, caller, id));
      await audit.record(tx, actorOf(caller), eventOf(caller, action, id));
      return findOwn(tx, caller, id);
    });
    if (changed.status === 'cancelled') notifier.cancelled(id);
    else notifier.changed(id);
    return changed;
  }

  /** The settings, with the knowledge bases of a session that is replayed. @throws as `create` does for what they name */
  private async usable(caller: Caller, settings: ResearchSettings): Promise<ResearchSettings> {
    const { checkModel, credibility, web, dataSource } = this.parts;
    const { model, credibilityConfigId, replayOf } = settings;
    const replayed = replayOf === null ? undefined : await findOwn(dataSource.manager, caller, replayOf);
    const knowledgebaseIds = [...new Set([...settings.knowledgebaseIds, ...(replayed?.knowledgebaseIds ?? [])])];
    if (knowledgebaseIds.length > 0) requireKnowledgeScope(caller);
    if (replayed) requireEnded(replayed);
    await checkModel(caller, model);
    if (credibilityConfigId !== null) await credibility.get(caller, credibilityConfigId);
    await this.requireBases(caller, knowledgebaseIds);
    if (!replayed && knowledgebaseIds.length === 0) web.requireProvider();
    return { ...settings, knowledgebaseIds };
  }

  /** @throws Forbidden where the token may not read any; NotFound */
  private async requireBases(caller: Caller, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    requireKnowledgeScope(caller);
    if (!(await this.parts.canReadBases(caller, ids))) throw new NotFound('The knowledge base does not exist.');
  }
}

/** Requests of the user that start a session wait until this transaction ends, so that the limits hold. */
function lockSessions(tx: EntityManager, { userId }: Caller): Promise<void> {
  return lockInTransaction(tx, `research sessions of ${userId}`);
}

/** How many sessions of a user are not over. @throws Conflict where there may be no more */
async function countOpen(tx: EntityManager, { userId: ownerId }: Caller): Promise<number> {
  const open = { ownerId, deletedTime: IsNull(), status: Not(In([...ENDED])) };
  const count = await tx.countBy(ResearchSession, open);
  if (count >= MAX_OPEN) {
    throw new Conflict(
      'conflict',
      `A user may have ${MAX_OPEN} sessions that are not over. Please wait, or cancel one.`,
    );
  }
  return count;
}

/** A hundred reports may be many megabytes, and few ask a list for them. */
function withoutReports({ metadata }: Repository<ResearchSession>): Record<string, boolean> {
  const names = metadata.columns.map(({ propertyName }) => propertyName).filter((name) => name !== 'report');
  return Object.fromEntries(names.map((name) => [name, true]));
}

/** @throws Conflict */
function requireFailed(status: ResearchSession['status']): void {
  if (status !== 'failed') throw new Conflict('conflict', 'The session has not failed: there is nothing to resume.');
}

/** @throws Conflict */
function requireEnded({ status }: ResearchSession): void {
  if (!ENDED.includes(status)) {
    throw new Conflict('conflict', 'The session is not over: it cannot be replayed yet.', 'replayOf');
  }
}

function requireKnowledgeScope(caller: Caller): void {
  if (!hasScope(caller, 'knowledge:read')) throw new Forbidden('This token lacks the scope knowledge:read.');
}

/** What is kept of the token that begins a run. */
function tokenOf({ credential, tokenId }: Caller): Pick<ResearchSession, 'tokenId' | 'apiTokenId'> {
  return { tokenId, apiTokenId: credential === 'pat' ? tokenId : null };
}

function newSession(caller: Caller, settings: ResearchSettings): Omit<ResearchSession, 'object' | 'usage'> {
  return {
    id: newId('rs'),
    tenantId: caller.tenantId,
    ownerId: caller.userId,
    ...tokenOf(caller),
    ...settings,
    status: 'queued',
    progress: 0,
    reason: null,
    error: null,
    report: null,
    run: 1,
    lastEventId: 0,
    usedTokens: 0,
    inputTokens: 0,
    outputTokens: 0,
    createdAt: new Date(),
    startedAt: null,
    completedAt: null,
    deletedTime: null,
  };
}

function eventOf({ tenantId }: Caller, action: `research_session.${string}`, id: string) {
  return { tenantId, action, target: { type: 'research_session', id } } as const;
}
