import { IsNull } from 'typeorm';
import type { DataSource } from 'typeorm';
import type { UnreadSource } from '../reading/source-reader.js';
import type { SnapshotStore } from '../reading/snapshot-store.js';
import { ResearchSession } from '../sessions/research-session.entity.js';
import { ResearchSource } from '../sessions/research-source.entity.js';
import { ResearchStep } from '../sessions/research-step.entity.js';
import type { FoundSources } from './source-finder.js';
import type { SourceHit } from './source-hit.js';
import type { SourceText } from './source-step.js';
import { stepHash } from './step-log.js';

interface ReplayParts {
  readonly dataSource: DataSource;
  readonly snapshots: Pick<SnapshotStore, 'read'>;
  /** The session whose sources are read. */
  readonly originalId: string;
}

/** The session whose sources are read was deleted, and they with it. */
export class OriginalDeleted extends Error {
  constructor() {
    super('The session that this one replays was deleted, and its sources with it.');
  }
}

/** The sources of a session as it has found and read them, without the network. */
export class Replay {
  constructor(private readonly parts: ReplayParts) {}

  /** What the original has found for a query; for one that it has not asked, all that it has found. @throws OriginalDeleted */
  async find(query: string): Promise<FoundSources> {
    const { dataSource, originalId: sessionId } = this.parts;
    const { manager } = dataSource;
    const step = await manager.findOneBy(ResearchStep, { sessionId, kind: 'query', hash: stepHash({ query }) });
    if (step) return { hits: (step.result as { hits: SourceHit[] }).hits, failure: undefined };
    const rows = await manager.find(ResearchSource, { where: { sessionId }, order: { position: 'asc' } });
    await this.requireOriginal();
    return { hits: rows.map(toHit), failure: undefined };
  }

  /** @throws OriginalDeleted; Unavailable; the reason of the signal */
  readonly read = async ({ id }: { readonly id: string }, signal: AbortSignal): Promise<SourceText | UnreadSource> => {
    const { dataSource, snapshots, originalId: sessionId } = this.parts;
    const row = await dataSource.manager.findOneBy(ResearchSource, { sessionId, id });
    if (row && row.status !== 'read') return { status: row.status, reason: row.reason ?? 'empty' };
    const text = row?.blobKey ? await snapshots.read(row.blobKey, signal) : undefined;
    if (!row || text === undefined) {
      await this.requireOriginal();
      return { status: 'failed', reason: 'snapshot_gone' };
    }
    const { finalUrl, url, title, publishedAt, fetchedAt, language, credibility, mirrors } = row;
    return {
      text,
      finalUrl: finalUrl ?? url,
      title,
      publishedAt,
      fetchedAt: fetchedAt ?? new Date(),
      language,
      credibility,
      mirrors,
    };
  };

  /** To be called after it was read without finding what was looked for: a session that is deleted goes piece by piece. @throws OriginalDeleted */
  private async requireOriginal(): Promise<void> {
    const { dataSource, originalId: id } = this.parts;
    if (!(await dataSource.manager.existsBy(ResearchSession, { id, deletedTime: IsNull() })))
      throw new OriginalDeleted();
  }
}

function toHit(row: ResearchSource): SourceHit {
  const { url, title, publishedAt, credibility, knowledgebaseId, fileId } = row;
  return {
    url,
    title,
    published_at: publishedAt?.toISOString() ?? null,
    credibility,
    knowledgebase_id: knowledgebaseId,
    file_id: fileId,
  };
}
