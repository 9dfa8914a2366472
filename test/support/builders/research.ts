import { newId } from '../../../src/platform/ids.js';
import { appendEvents } from '../../../src/researcher/sessions/append-events.js';
import type { NewEvent } from '../../../src/researcher/sessions/append-events.js';
import { ResearchSession } from '../../../src/researcher/sessions/research-session.entity.js';
import type { ResearchStatus } from '../../../src/researcher/sessions/research-session.entity.js';
import { ResearchSource } from '../../../src/researcher/sessions/research-source.entity.js';
import { ResearchStep } from '../../../src/researcher/sessions/research-step.entity.js';
import type { SignedInUser } from './accounts.js';
import type { AnyJson } from '../probes/any-json.js';
import { eventually } from '../probes/eventually.js';
import type { Platform } from '../servers/platform.js';

/** The path of research sessions. */
export const SESSIONS = '/v1/researcher/sessions';

type Owner = Pick<SignedInUser, 'id' | 'tenantId'>;

/** Writes a session into the database that no job does. @param values put over one that searches; @returns its id */
export async function addResearchSession(
  platform: Platform,
  { id: ownerId, tenantId }: Owner,
  values: Partial<ResearchSession> = {},
): Promise<string> {
  const id = newId('rs');
  const counts = { depth: 2, maxSources: 20, maxTokens: null, maxSeconds: 900, strict: false };
  const progress = { status: 'searching', progress: 0.25, reason: null, error: null, report: null };
  const used = { run: 1, lastEventId: 0, usedTokens: 0, inputTokens: 0, outputTokens: 0 };
  const times = { createdAt: new Date(), startedAt: new Date(), completedAt: null, deletedTime: null };
  const refers = { model: 'builtin-extractive', credibilityConfigId: null, knowledgebaseIds: [], replayOf: null };
  const token = { tokenId: newId('tok'), apiTokenId: null };
  const row = {
    id,
    tenantId,
    ownerId,
    question: 'Why?',
    ...counts,
    ...progress,
    ...used,
    ...times,
    ...refers,
    ...token,
  };
  await platform.app.database.dataSource.getRepository(ResearchSession).insert({ ...row, ...values } as never);
  return id;
}

/** Adds events to a session, and says how it stands then. */
export async function tell(
  platform: Platform,
  id: string,
  events: readonly NewEvent[],
  status?: ResearchStatus,
): Promise<void> {
  await platform.app.database.dataSource.transaction(async (tx) => {
    if (status) await tx.update(ResearchSession, { id }, { status });
    await appendEvents(tx, id, events);
  });
}

/** Events of queries, by their numbers. */
export function queries(from: number, to: number, more: object = {}): NewEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    type: 'query',
    data: { query: `query ${from + index}`, ...more },
  }));
}

/** Adds steps and sources, whose texts are stored. @returns the keys of the texts */
export async function addFindings(
  { app: { blobs, database } }: Platform,
  { id: userId, tenantId }: Owner,
  sessionId: string,
  count = 2,
): Promise<string[]> {
  const keys: string[] = [];
  for (let position = 0; position < count; position += 1) {
    const limits = { tenantBytes: null, userBytes: null };
    const request = { kind: 'researcher.source', maxBytes: 1_000, limits, signal: AbortSignal.timeout(10_000) };
    const { key, sha256 } = await blobs.write({ tenantId, userId }, request, bytesOf(`Text ${position}`));
    const [url, title] = [`https://a.test/${position}`, `Page ${position}`];
    const source = { url, finalUrl: url, title, publishedAt: null, fetchedAt: new Date(), sha256, language: 'en' };
    const rest = { credibility: 0.5, status: 'read', reason: null, mirrors: [], knowledgebaseId: null, fileId: null };
    const step = { kind: 'fetch', hash: String(position), position: position + 1, title, result: {} };
    await database.dataSource.transaction(async (tx) => {
      await blobs.keep(tx, [key]);
      const row = { sessionId, id: newId('src'), position, ...source, ...rest, blobKey: key };
      await tx.insert(ResearchSource, row as never);
      await tx.insert(ResearchStep, { sessionId, ...step, createdTime: new Date() } as never);
    });
    keys.push(key);
  }
  return keys;
}

/** Waits until nothing is left of a session, nor of the texts of its sources. */
export async function untilResearchErased(platform: Platform, id: string, keys: readonly string[]): Promise<void> {
  await eventually('nothing is left of the session', 15, async () => {
    const tables = ['sources', 'steps', 'events'].map(
      (of) => `(SELECT count(*) FROM research_${of} WHERE session_id = $1)`,
    );
    const [left] = await platform.query<{ rows: number }>(
      `SELECT ((SELECT count(*) FROM research_sessions WHERE id = $1) + ${tables.join(' + ')}
        + (SELECT count(*) FROM blobs WHERE key = ANY($2)))::integer AS rows`,
      [id, [...keys]],
    );
    return left?.rows === 0;
  });
}

/** An event as REST sends it. */
export interface SentEvent {
  readonly event: string;
  /** Absent where the stream itself has failed. */
  readonly id?: number;
  readonly data: AnyJson;
}

/** Reads the text of a stream of events. */
export function sentEvents(text: string): SentEvent[] {
  return [...text.matchAll(/^event: (\w+)\n(?:id: (\d+)\n)?data: (.*)\n\n/gm)].map(([, event = '', id, data = '']) => ({
    event,
    ...(id !== undefined && { id: Number(id) }),
    data: JSON.parse(data) as AnyJson,
  }));
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
