import { In, IsNull } from 'typeorm';
import type { DataSource, EntityManager, FindOptionsWhere } from 'typeorm';
import { Forbidden } from '../../../errors.js';
import type { Blobs } from '../../../platform/blobs/blobs.js';
import type { ChangeNotifier } from '../../../platform/cluster/change-notifier.js';
import type { FileFailure } from '../../../platform/extraction/file-failure.js';
import { LAST_ATTEMPT, waitSeconds } from '../../../platform/jobs/job-delays.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { JobWatch } from '../../../platform/jobs/job-watch.js';
import type { Job, JobOwner, LimitedJobHandler } from '../../../platform/jobs/job.types.js';
import { hasCancelledJob, hasUnfinishedJob } from '../../../platform/jobs/unfinished-job.js';
import { noteUnserved } from '../../../platform/jobs/unserved-jobs.js';
import { othersWait } from '../../../platform/jobs/waiting-jobs.js';
import type { DocumentTask } from './document-task.js';
import { DocumentTranslation } from './document-translation.entity.js';
import { DocumentTurn, TurnOver, turnSeconds } from './document-turn.js';
import type { DocumentWork, WrittenDocument } from './document-work.js';
import { failureOf, isBusy } from './translation-failure.js';

/** The kind of jobs that translate documents. */
export const TRANSLATION_JOB = 'translation.document';

/**
 * Each waits for engines most of the time, and holds some texts meanwhile; files are read and written by children, of which
 * there are fewer. A user leaves one place of the tenant to colleagues, as a tenant leaves places to others; a place whose
 * engine says nothing is given back where others wait.
 */
const LIMITS = { atOnce: 24, atOnceForTenant: 4, atOnceForUser: 3 };
/**
 * How often what is missing is waited for without anything having been translated, five minutes each in the end: some three
 * hours. Nothing is asked for twice.
 */
const MOST_WAITS = 40;
const LEAST_PRIORITY = -1_000;
const NOT_PERMITTED = 'Whoever wanted this document translated may not use the platform any more.';
const UNEXPLAINED: FileFailure = {
  message:
    'The server failed at this document. Please send it once more, and tell your administrator if it fails again.',
  isTransient: false,
};
const JOB_OF = [TRANSLATION_JOB, 'documentId', 'document_translations.id'] as const;
const ABANDONED = `
  SELECT id, ${hasCancelledJob(...JOB_OF)} AS is_cancelled FROM document_translations
  WHERE status IN ('queued', 'processing') AND deleted_at IS NULL AND NOT ${hasUnfinishedJob(...JOB_OF)}
  ORDER BY id LIMIT 1000`;
const WAITING = {
  table: 'document_translations',
  where: "status IN ('queued', 'processing') AND deleted_at IS NULL",
  kind: TRANSLATION_JOB,
  member: 'documentId',
} as const;

interface TranslationJobsParts {
  readonly dataSource: DataSource;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly blobs: Pick<Blobs, 'discard' | 'keep' | 'release' | 'storeId'>;
  readonly work: Pick<DocumentWork, 'read' | 'translate' | 'write'>;
  /** Whether a user may still have anything done. */
  readonly permits: (owner: JobOwner) => Promise<boolean>;
  readonly notifier: ChangeNotifier;
  /** Told whose stored bytes have changed. */
  readonly storageChanged: (userId: string) => void;
}

interface TranslationPayload {
  readonly documentId: string;
  /** How often in a row what it needs was missing, and nothing was translated. */
  readonly waits: number;
  /** How many others its owner had that were not over: documents of those who have fewer go first. */
  readonly behind?: number;
  /** How often it has given its place back. */
  readonly turns?: number;
  /** Whether little is asked for at once from now on. */
  readonly isCareful?: boolean;
}

/** An attempt at a document. */
interface Attempt {
  readonly document: DocumentTranslation;
  readonly payload: TranslationPayload;
  readonly job: Job;
  readonly turn: DocumentTurn;
  /** Whether anything was translated. */
  hasProgressed: boolean;
}

/** The document is gone, or another job has brought it to its end. */
class DocumentGone extends Error {}

/** Translates documents, one job each. It goes on where an earlier attempt has ended; what is missing is waited for. */
export class TranslationJobs {
  constructor(private readonly parts: TranslationJobsParts) {}

  get handler(): LimitedJobHandler {
    return { ...LIMITS, run: (job) => this.run(job) };
  }

  /** Puts a document into the queue. @param behind how many others its owner has that are not over */
  async enqueue(tx: EntityManager, document: DocumentTranslation, behind: number): Promise<void> {
    await this.send({ documentId: document.id, waits: 0, behind }, document, 0, tx);
  }

  /**
   * Ends documents that nobody translates any more: jobs are given up where processes have died of them, and cancelled where
   * their user may not use the platform when they would begin. Says of others that they wait for their server.
   */
  async endAbandoned(): Promise<void> {
    const { dataSource, notifier } = this.parts;
    const abandoned = await dataSource.query<{ id: string; is_cancelled: boolean }[]>(ABANDONED);
    for (const { id, is_cancelled: isCancelled } of abandoned) {
      const document = await dataSource.manager.findOneBy(DocumentTranslation, { id });
      if (!document) continue;
      const reason = isCancelled ? NOT_PERMITTED : UNEXPLAINED.message;
      await dataSource.transaction((tx) => this.giveUp(tx, document, reason));
      notifier.changed(id);
    }
    for (const { id } of await noteUnserved<{ id: string }>(dataSource, WAITING)) notifier.changed(id);
  }

  private async run(job: Job): Promise<void> {
    const payload = job.payload as unknown as TranslationPayload;
    const { dataSource, notifier } = this.parts;
    const document = await dataSource.manager.findOneBy(DocumentTranslation, unfinished(payload.documentId));
    if (!document || document.blobKey === null) return;
    await job.requireFile(document.blobKey);
    const attempt = { document, payload, job, turn: this.turnOf(document, payload), hasProgressed: false };
    try {
      await this.attempt(attempt);
    } finally {
      attempt.turn.close();
      notifier.changed(document.id);
    }
  }

  private async attempt(attempt: Attempt): Promise<void> {
    const { document, job, turn } = attempt;
    const ending = new AbortController();
    const watch = new JobWatch(() => this.findEnd(ownerOf(document)));
    const signal = AbortSignal.any([job.signal, ending.signal, watch.ended, turn.over]);
    const stop = this.parts.notifier.listen(document.id, () => void this.endWhereGone(document.id, ending));
    try {
      await watch.requireOpen();
      await this.translate(attempt, signal);
    } catch (cause) {
      job.signal.throwIfAborted();
      // What was under way may end with an error of its own.
      const error: unknown = [watch.ended, turn.over].find(({ aborted }) => aborted)?.reason ?? cause;
      if (error instanceof DocumentGone || ending.signal.aborted) return;
      await this.settle(attempt, error);
    } finally {
      watch.close();
      stop();
    }
  }

  private turnOf(document: DocumentTranslation, { turns = 0 }: TranslationPayload): DocumentTurn {
    const { blobs, dataSource } = this.parts;
    const ask = async (): Promise<boolean> => {
      const holder = { kind: TRANSLATION_JOB, ...ownerOf(document), store: await blobs.storeId() };
      return othersWait(dataSource, holder, LIMITS.atOnceForTenant);
    };
    return new DocumentTurn({ seconds: turnSeconds(turns), othersWait: ask });
  }

  private async findEnd(owner: JobOwner): Promise<Error | undefined> {
    return (await this.parts.permits(owner)) ? undefined : new Forbidden(NOT_PERMITTED);
  }

  private async translate(attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { work, notifier } = this.parts;
    const { document, payload, job, turn } = attempt;
    const { id } = document;
    const task: DocumentTask = {
      document,
      owner: { ...ownerOf(document), tokenId: job.id },
      signal,
      isCareful: payload.isCareful === true,
      transaction: (inside) => job.transaction(inside),
      answered: turn.answered,
      progressed: async (tx, units, detected) => {
        attempt.hasProgressed = true;
        const set = {
          doneUnits: () => `done_units + ${units}`,
          ...(detected !== null && { detectedLanguage: detected }),
        };
        await change(tx, id, set);
        notifier.changed(id);
      },
    };
    await job.transaction((tx) => change(tx, id, { status: 'processing', error: null }));
    notifier.changed(id);
    if (document.units === null) {
      // What an attempt has read that came to no end.
      await job.transaction((tx) => tx.query('DELETE FROM document_translation_batches WHERE document_id = $1', [id]));
      document.units = await work.read(task);
      const units = document.units;
      await job.transaction((tx) => change(tx, id, { units, doneUnits: 0 }));
    }
    turn.begin();
    await work.translate(task);
    // It waits for no engine any more.
    turn.close();
    await this.finish(document, await work.write(task), job);
  }

  private async finish(document: DocumentTranslation, { blob, warnings }: WrittenDocument, job: Job): Promise<void> {
    const { blobs, storageChanged } = this.parts;
    const { key: resultKey, sizeBytes: resultBytes, sha256: resultSha256 } = blob;
    const result = { resultKey, resultBytes, resultSha256, warnings };
    try {
      await job.transaction(async (tx) => {
        await change(tx, document.id, { ...result, status: 'completed', finishedTime: new Date(), blobKey: null });
        await blobs.keep(tx, [resultKey]);
        await blobs.release(tx, document.blobKey === null ? [] : [document.blobKey]);
      });
    } catch (error) {
      await blobs.discard([resultKey]);
      throw error;
    }
    storageChanged(document.ownerId);
  }

  /** Has a document wait whose attempt came to no end, or gives it up. @throws the error where the job is to be tried again */
  private async settle(attempt: Attempt, error: unknown): Promise<void> {
    const { document, payload, job, hasProgressed } = attempt;
    const isTurnOver = error instanceof TurnOver;
    const failure = isTurnOver ? { message: error.message, isTransient: true, retrySeconds: 0 } : failureOf(error);
    if (!failure && job.attempt < LAST_ATTEMPT) throw error;
    const { message, isTransient, retrySeconds } = failure ?? { ...UNEXPLAINED, retrySeconds: 0 };
    const waits = hasProgressed ? 0 : payload.waits;
    const next: TranslationPayload = {
      ...payload,
      waits: waits + 1,
      turns: (payload.turns ?? 0) + (isTurnOver ? 1 : 0),
      isCareful: payload.isCareful === true || isTurnOver || isBusy(error),
    };
    const delaySeconds = isTurnOver ? 0 : Math.max(waitSeconds(waits), retrySeconds);
    await job.transaction(async (tx) => {
      if (!isTransient || waits >= MOST_WAITS) return this.giveUp(tx, document, message);
      const waiting = { status: 'queued' as const, error: message };
      if ((await tx.update(DocumentTranslation, unfinished(document.id), waiting)).affected === 0) return;
      await this.send(next, document, delaySeconds, tx);
    });
  }

  private async giveUp(tx: EntityManager, { id, blobKey, ownerId }: DocumentTranslation, error: string): Promise<void> {
    const ended = { status: 'failed' as const, error, finishedTime: new Date(), blobKey: null };
    if ((await tx.update(DocumentTranslation, unfinished(id), ended)).affected === 0) return;
    await this.parts.blobs.release(tx, blobKey === null ? [] : [blobKey]);
    this.parts.storageChanged(ownerId);
  }

  private async endWhereGone(id: string, ending: AbortController): Promise<void> {
    const { manager } = this.parts.dataSource;
    const isThere = await manager.existsBy(DocumentTranslation, unfinished(id)).catch(() => true);
    if (!isThere) ending.abort(new DocumentGone());
  }

  private async send(
    payload: TranslationPayload,
    document: DocumentTranslation,
    delaySeconds: number,
    tx?: EntityManager,
  ): Promise<void> {
    const { behind = 0, turns = 0 } = payload;
    const priority = Math.max(LEAST_PRIORITY, -behind - turns);
    const owner = ownerOf(document);
    const job = { kind: TRANSLATION_JOB, payload: { ...payload }, owner, about: owner.userId };
    const { blobKey } = document;
    await this.parts.jobs.enqueue({ ...job, ...(blobKey !== null && { blobKey }), delaySeconds, priority }, tx);
  }
}

function ownerOf({ tenantId, ownerId: userId }: DocumentTranslation): JobOwner {
  return { tenantId, userId };
}

function unfinished(id: string): FindOptionsWhere<DocumentTranslation> {
  return { id, deletedTime: IsNull(), status: In(['queued', 'processing']) };
}

/** @throws DocumentGone */
async function change(tx: EntityManager, id: string, values: object): Promise<void> {
  if ((await tx.update(DocumentTranslation, unfinished(id), values)).affected === 0) throw new DocumentGone();
}
