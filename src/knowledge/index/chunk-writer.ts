import type { EntityManager } from 'typeorm';
import { newId } from '../../platform/ids.js';
import type { Job } from '../../platform/jobs/job.types.js';
import type { Chunk } from '../ingest/chunk.types.js';
import { searchConfiguration, separateWords } from './search-words.js';
import { writeVectors } from './vector-tables.js';

/** How passages are written: the embedded database does nothing else meanwhile. */
export interface WriteSizes {
  /** Passages in one transaction. */
  readonly rows: number;
  /** `gin_pending_list_limit`, as PostgreSQL writes it: each query reads the whole pending list of the index of words. */
  readonly pendingList: string;
}

/** Those of each kind of database. */
export const WRITE_SIZES = {
  embedded: { rows: 16, pendingList: '64kB' },
  server: { rows: 256, pendingList: '1MB' },
} as const satisfies Record<string, WriteSizes>;

const LIMIT_PENDING_LIST = "SELECT set_config('gin_pending_list_limit', $1, true)";
const EMPTY_PENDING_LIST = "SELECT gin_clean_pending_list('knowledge_chunks_words')";

const INSERT = `
  INSERT INTO knowledge_chunks (id, index_id, file_id, position, page, start_at, end_at, headings, text, hash, words)
  SELECT c.id, $2, $3, c.position, c.page, c."start", c."end", c.headings, c.text, c.hash,
    to_tsvector($4::regconfig, c.words) || array_to_tsvector(ARRAY[$2])
  FROM jsonb_to_recordset($1::jsonb) AS c (id text, position integer, page integer, "start" integer, "end" integer,
    headings text[], text text, hash text, words text)`;

/** A chunk on its way into an index. */
export interface IndexedChunk extends Chunk {
  /** From 0, in the order of the file. */
  readonly position: number;
  /** Undefined where the database has no vectors. */
  readonly vector: readonly number[] | undefined;
}

/** Where chunks belong. */
export interface ChunkTarget {
  readonly indexId: string;
  readonly fileId: string;
  readonly language: string | null;
}

/** Whoever deletes the file, or takes its index out of use, waits for this transaction, and the next one finds that. */
const LOCK = `
  SELECT FROM knowledge_files f, knowledge_indexes i
  WHERE f.id = $1 AND f.deleted_at IS NULL AND i.id = $2 AND i.base_id = f.base_id AND i.state <> 'retired' FOR SHARE`;

/** The file, or its index, is not wanted any more: whatever is done for it ends. */
export class TargetGone extends Error {}

/** Requires that a file and its index are still wanted, until the transaction ends. @throws TargetGone */
export async function lockTarget(tx: EntityManager, { fileId, indexId }: Omit<ChunkTarget, 'language'>): Promise<void> {
  const rows = await tx.query<object[]>(LOCK, [fileId, indexId]);
  if (rows.length === 0) throw new TargetGone();
}

/** Writes chunks, some in each transaction. */
export class ChunkWriter {
  constructor(private readonly sizes: WriteSizes) {}

  /**
   * Writes chunks in their order.
   * @param transaction runs each of the transactions
   * @throws TargetGone
   */
  async write(transaction: Job['transaction'], target: ChunkTarget, chunks: readonly IndexedChunk[]): Promise<void> {
    const { rows: size, pendingList } = this.sizes;
    for (let first = 0; first < chunks.length; first += size) {
      const rows = chunks.slice(first, first + size);
      await transaction(async (tx) => {
        await lockTarget(tx, target);
        await tx.query(LIMIT_PENDING_LIST, [pendingList]);
        await writeRows(tx, target, rows);
      });
    }
  }

  /** Moves the pending list of the index of words into the index, when a file is written. */
  async finish(transaction: Job['transaction']): Promise<void> {
    await transaction((tx) => tx.query(EMPTY_PENDING_LIST));
  }
}

async function writeRows(
  tx: EntityManager,
  { indexId, fileId, language }: ChunkTarget,
  chunks: readonly IndexedChunk[],
): Promise<void> {
  const rows = chunks.map((chunk) => ({ ...chunk, id: newId('chk'), words: toSearchedText(chunk), vector: undefined }));
  await tx.query(INSERT, [JSON.stringify(rows), indexId, fileId, searchConfiguration(language)]);
  const vectors = chunks.flatMap(({ vector }, at) =>
    vector ? [{ chunkId: rows[at]?.id as string, fileId, vector }] : [],
  );
  if (vectors.length > 0) await writeVectors(tx, indexId, vectors);
}

/** What is looked for by keywords, and made a vector of: the passage below the titles of its sections. */
export function toEmbeddedText({ headings, text }: Pick<Chunk, 'headings' | 'text'>): string {
  return headings.length === 0 ? text : `${headings.join(' > ')}\n${text}`;
}

function toSearchedText(chunk: Chunk): string {
  return separateWords(toEmbeddedText(chunk));
}
