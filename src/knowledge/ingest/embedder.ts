import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { CallOwner } from '../../access/caller.js';
import { BadUpstream, Conflict } from '../../errors.js';
import type { Models } from '../../inference/domain.js';
import { objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { toEmbeddedText } from '../index/chunk-writer.js';
import { KnowledgeIndex } from '../index/knowledge-index.entity.js';
import { createVectorTable } from '../index/vector-tables.js';
import type { Chunk } from './chunk.types.js';

/** More than pgvector stores. */
const MOST_DIMENSIONS = 16_000;
/** The first vectors say it. Whoever has been waiting for the row changes nothing. */
const REMEMBER = `
  UPDATE knowledge_indexes SET dimensions = $2 WHERE id = $1 AND dimensions IS NULL AND state <> 'retired' RETURNING id`;
const MARK_LACKING = 'UPDATE knowledge_indexes SET lacks_vectors = true WHERE id = $1 AND NOT lacks_vectors';

/** What passages are made vectors for. */
interface Embedding {
  readonly index: Pick<KnowledgeIndex, 'id' | 'model' | 'dimensions'>;
  /** For whom the model is called. */
  readonly owner: CallOwner;
  readonly signal: AbortSignal;
}

/** Makes vectors of passages. */
export class Embedder {
  /** @param hasVectors whether the database has vectors: no model is asked for what cannot be stored */
  constructor(
    private readonly models: Pick<Models, 'embed'>,
    private readonly dataSource: DataSource,
    private readonly hasVectors: boolean,
  ) {}

  /**
   * The vectors of passages, in their order; undefined where none are needed.
   * @throws what the model throws; BadUpstream where it answers no vectors; Conflict where they are not as long as those that
   * the index has, since they cannot be compared; the reason of the signal
   */
  async embed(chunks: readonly Chunk[], { index, owner, signal }: Embedding): Promise<number[][] | undefined> {
    if (chunks.length === 0) return undefined;
    if (!this.hasVectors) {
      await this.dataSource.query(MARK_LACKING, [index.id]);
      return undefined;
    }
    const answer = await this.models.embed(owner, {
      area: 'knowledge',
      request: { model: index.model, input: chunks.map(toEmbeddedText) },
      context: { signal, serverRequestId: randomUUID() },
    });
    const vectors = vectorsOf(answer, chunks.length);
    const { length = 0 } = vectors[0] ?? [];
    requireComparable(length, index.dimensions ?? (await this.remember(index.id, length)));
    return vectors;
  }

  /** Whoever sees the length finds the table. @returns the length that the index has */
  private remember(id: string, dimensions: number): Promise<number> {
    return this.dataSource.transaction(async (tx) => {
      const [rows] = await tx.query<[object[], number]>(REMEMBER, [id, dimensions]);
      if (rows.length > 0) await createVectorTable(tx, id, dimensions);
      return (await tx.findOneBy(KnowledgeIndex, { id }))?.dimensions ?? dimensions;
    });
  }
}

/**
 * The vectors of an answer, in the order of what was asked for.
 * @throws BadUpstream where they are not so many, not all of a length, or not what the database can hold
 */
export function vectorsOf(answer: JsonObject, count: number): number[][] {
  const vectors = objectsOf(answer.data).map(({ embedding }) => embedding);
  const { length = 0 } = Array.isArray(vectors[0]) ? vectors[0] : [];
  const isRight = (vector: unknown) =>
    Array.isArray(vector) &&
    vector.length === length &&
    vector.every((number) => Number.isFinite(Math.fround(number as number)));
  if (vectors.length === count && length > 0 && length <= MOST_DIMENSIONS && vectors.every(isRight)) {
    return vectors as number[][];
  }
  throw new BadUpstream('The embedding model answered vectors that are none, or too long.');
}

/** Requires that vectors can be compared with those of an index. @throws Conflict that says what to do */
export function requireComparable(length: number, dimensions: number | null): void {
  if (dimensions === null || length === dimensions) return;
  throw new Conflict(
    'conflict',
    `The embedding model makes vectors of ${length} numbers, where those of the knowledge base have ${dimensions}: give the knowledge base another embedding model, and then this one again, so that it is indexed anew.`,
  );
}
