import type { DataSource } from 'typeorm';
import type { UnreadSource } from '../reading/source-reader.js';
import type { SnapshotStore } from '../reading/snapshot-store.js';
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

/** The sources of a session as it has found and read them, without the network. */
export class Replay {
  constructor(private readonly parts: ReplayParts) {}

  /** What the original has found for a query; for one that it has not asked, all that it has found. */
  async find(query: string): Promise<FoundSources> {
    const { dataSource, originalId: sessionId } = this.parts;
    const { manager } = dataSource;
    const step = await manager.findOneBy(ResearchStep, { sessionId, kind: 'query', hash: stepHash({ query }) });
    if (step) return { hits: (step.result as { hits: SourceHit[] }).hits, failure: undefined };
    const rows = await manager.find(ResearchSource, { where: { sessionId }, order: { position: 'asc' } });
    return { hits: rows.map(toHit), failure: undefined };
  }

  /** @throws Unavailable; the reason of the signal */
  readonly read = async ({ id }: { readonly id: string }, signal: AbortSignal): Promise<SourceText | UnreadSource> => {
    const { dataSource, snapshots, originalId: sessionId } = this.parts;
    const row = await dataSource.manager.findOneBy(ResearchSource, { sessionId, id });
    if (row && row.status !== 'read') return { status: row.status, reason: row.reason ?? 'empty' };
    const text = row?.blobKey ? await snapshots.read(row.blobKey, signal) : undefined;
    if (!row || text === undefined) return { status: 'failed', reason: 'snapshot_gone' };
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
