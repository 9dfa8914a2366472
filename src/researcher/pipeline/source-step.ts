import type { EntityManager } from 'typeorm';
import type { CallOwner } from '../../access/caller.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { cleanTextSteps } from '../../platform/extraction/web/clean-text.js';
import type { CredibilityScores } from '../credibility/credibility-scores.js';
import { likenessOf, SAME, shinglesOf } from '../reading/text-shingles.js';
import { MOST_TEXT } from '../reading/source-reader.js';
import type { SourceReader, UnreadSource } from '../reading/source-reader.js';
import type { SnapshotStore, WrittenSnapshot } from '../reading/snapshot-store.js';
import type { ResearchSession } from '../sessions/research-session.entity.js';
import { ResearchSource } from '../sessions/research-source.entity.js';
import type { KnowledgeReader } from './source-finder.js';
import type { SourceHit } from './source-hit.js';
import type { StepOutcome } from './step-log.js';

/** Texts that one which is much the same is compared with. */
const MOST_COPIES = 3;

/** A source that was chosen. */
export type ChosenSource = SourceHit & { readonly id: string; readonly position: number };

/** What a source says, before it is kept. */
export interface SourceText {
  readonly text: string;
  readonly finalUrl: string;
  readonly title: string | null;
  readonly publishedAt: Date | null;
  readonly fetchedAt: Date;
  readonly language: string | null;
  /** Of the less credible of the addresses at which it was found and read; null where nothing is known. */
  readonly credibility: number | null;
  /** Other addresses with the same text, as a session that is replayed has found them. */
  readonly mirrors?: readonly string[];
}

/** What the step of a source has come to, as it is stored. */
export type SourceResult = { readonly id: string; readonly status: 'read' | 'skipped' | 'failed' };

interface SourceTextsParts {
  readonly reader: Pick<SourceReader, 'read'>;
  readonly knowledge: Pick<KnowledgeReader, 'textOf'>;
}

/** On whose behalf sources are read, and how credible they have to be. */
export interface SourceReading {
  readonly owner: CallOwner;
  readonly scores: CredibilityScores | undefined;
  readonly signal: AbortSignal;
}

/** Tells what pages of the web and files of knowledge bases say. */
export class SourceTexts {
  constructor(private readonly parts: SourceTextsParts) {}

  /** A page that redirects to one that is not credible enough is skipped: `low_credibility`. @throws the reason of the signal */
  async read(hit: SourceHit, { owner, scores, signal }: SourceReading): Promise<SourceText | UnreadSource> {
    if (hit.knowledgebase_id !== null && hit.file_id !== null) {
      return this.readFile(hit, { knowledgebaseId: hit.knowledgebase_id, fileId: hit.file_id }, { owner, signal });
    }
    const read = await this.parts.reader.read(hit.url, { owner: owner.userId, signal });
    if ('status' in read) return read;
    const { finalUrl, fetchedAt, page } = read;
    const credibility = scores?.scoreOfPage(hit.url, finalUrl) ?? null;
    if ((credibility ?? 1) < (scores?.minScore ?? 0)) return { status: 'skipped', reason: 'low_credibility' };
    return {
      text: page.text.slice(0, MOST_TEXT).toWellFormed(),
      finalUrl,
      title: page.title === '' ? hit.title : page.title,
      publishedAt: page.publishedAt ?? (hit.published_at === null ? null : new Date(hit.published_at)),
      fetchedAt,
      language: page.language,
      credibility,
    };
  }

  private async readFile(
    { url, title, credibility }: SourceHit,
    file: { readonly knowledgebaseId: string; readonly fileId: string },
    { owner, signal }: Pick<SourceReading, 'owner' | 'signal'>,
  ): Promise<SourceText | UnreadSource> {
    const found = await this.parts.knowledge.textOf(owner, file, MOST_TEXT);
    if (!found || !/[\p{L}\p{N}]/u.test(found.text)) return { status: 'failed', reason: 'empty' };
    const { language } = found;
    const text = await new CooperativeYield(signal).finish(cleanTextSteps(found.text));
    const nothing = { publishedAt: null, fetchedAt: new Date() };
    return { text, finalUrl: url, title, language, credibility, ...nothing };
  }
}

/** The runs of words of the sources that a session has read, by which the same text is known again. */
export class ReadTexts {
  private readonly known = new Map<string, Uint32Array>();

  add(id: string, shingles: Uint32Array): void {
    this.known.set(id, shingles);
  }

  has(id: string): boolean {
    return this.known.has(id);
  }

  /** The sources whose texts are much the same: three at most, the most alike first, since each is compared in full. */
  async copiesOf(shingles: Uint32Array, cooperation: CooperativeYield): Promise<string[]> {
    const known = await cooperation.map(this.known, ([id, other]) => ({ id, likeness: likenessOf(shingles, other) }));
    const same = known.filter(({ likeness }) => likeness >= SAME).toSorted((one, two) => two.likeness - one.likeness);
    return same.slice(0, MOST_COPIES).map(({ id }) => id);
  }
}

interface SourceStepParts {
  readonly session: ResearchSession;
  readonly snapshots: SnapshotStore;
  readonly texts: ReadTexts;
  /** Whether a source that was read contradicts a text that is much the same. */
  readonly isContradicted: (id: string, read: SourceText) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/**
 * What is written of a source: its row, with its text in a blob; or that it has none; or that an earlier one has the same.
 * A copy that says otherwise in one place is a source of its own: what it contradicts is told.
 * @throws StorageExceeded; Unavailable; the reason of the signal
 */
export async function sourceOutcome(
  source: ChosenSource,
  read: SourceText | UnreadSource,
  { session, snapshots, texts, isContradicted, signal }: SourceStepParts,
): Promise<StepOutcome<SourceResult>> {
  if ('status' in read) return unread(session, source, read);
  const cooperation = new CooperativeYield(signal);
  const shingles = await cooperation.finish(shinglesOf(read.text));
  const original = await firstMirrored(await texts.copiesOf(shingles, cooperation), (id) => isContradicted(id, read));
  if (original !== undefined) {
    const outcome = unread(session, source, { status: 'skipped', reason: 'mirror' });
    return {
      ...outcome,
      write: async (tx) => {
        await outcome.write?.(tx);
        await addMirror(tx, session.id, original, read.finalUrl);
      },
    };
  }
  const owner = { tenantId: session.tenantId, userId: session.ownerId };
  const snapshot = await snapshots.write(owner, read.text, signal);
  texts.add(source.id, shingles);
  return readOutcome(session, source, read, { snapshot, snapshots });
}

async function firstMirrored(
  ids: readonly string[],
  isContradicted: (id: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const id of ids) if (!(await isContradicted(id))) return id;
  return undefined;
}

function readOutcome(
  session: ResearchSession,
  source: ChosenSource,
  { finalUrl, title, publishedAt, fetchedAt, language, credibility, mirrors = [] }: SourceText,
  { snapshot, snapshots }: { readonly snapshot: WrittenSnapshot; readonly snapshots: SnapshotStore },
): StepOutcome<SourceResult> {
  const { key: blobKey, sha256 } = snapshot;
  const row = {
    ...rowOf(session, source),
    finalUrl,
    title,
    publishedAt,
    fetchedAt,
    sha256,
    language,
    credibility,
    status: 'read' as const,
    mirrors: [...mirrors],
    blobKey,
  };
  return {
    result: { id: source.id, status: 'read' },
    events: [{ type: 'source', data: eventOf(source, { status: 'read', reason: null, title }) }],
    write: async (tx) => {
      await tx.insert(ResearchSource, row);
      await snapshots.keep(tx, snapshot);
    },
    discard: () => snapshots.discard(snapshot),
  };
}

function unread(
  session: ResearchSession,
  source: ChosenSource,
  { status, reason }: UnreadSource,
): StepOutcome<SourceResult> {
  const row = { ...rowOf(session, source), status, reason };
  return {
    result: { id: source.id, status },
    events: [{ type: 'source', data: eventOf(source, { status, reason, title: source.title }) }],
    write: async (tx) => void (await tx.insert(ResearchSource, row)),
  };
}

function rowOf({ id: sessionId }: ResearchSession, source: ChosenSource) {
  const { id, position, url, title, credibility, knowledgebase_id: knowledgebaseId, file_id: fileId } = source;
  const nothing = { finalUrl: null, publishedAt: null, fetchedAt: null, sha256: null, language: null, reason: null };
  const place = { sessionId, id, position, url, title, credibility, knowledgebaseId, fileId };
  return { ...place, ...nothing, mirrors: [] as string[], blobKey: null };
}

function eventOf(
  { id, url }: ChosenSource,
  told: { readonly status: string; readonly reason: string | null; readonly title: string | null },
) {
  return { id, url, ...told };
}

async function addMirror(tx: EntityManager, sessionId: string, id: string, url: string): Promise<void> {
  const sql = `
    UPDATE research_sources SET mirrors = array_append(mirrors, $3)
    WHERE session_id = $1 AND id = $2 AND NOT ($3 = ANY (mirrors))`;
  await tx.query(sql, [sessionId, id, url]);
}
