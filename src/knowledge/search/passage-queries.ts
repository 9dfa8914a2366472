import type { DataSource } from 'typeorm';
import sql, { empty, join } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { JsonObject } from '../../platform/json/json-object.js';
import { searchConfiguration } from '../index/search-words.js';
import { toVectorBytes } from '../index/vector-bytes.js';
import { vectorsOf } from '../index/vector-tables.js';
import type { FilePassage } from './joined-passages.js';
import { rankByKeywords } from './keyword-ranking.js';
import type { KeywordQuestion } from './keyword-ranking.js';
import type { Ranked } from './rank-fusion.js';
import type { FoundPassage } from './search.types.js';

/** How many vectors an index of the database looks at for each that is wanted, and at most: more find more of the nearest. */
const EXAMINED = 2;
const MOST_EXAMINED = 1_000;
const SEARCH_ON =
  "SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', $1, true)";

/** Whose rights hold, asked for in each query anew. */
export interface Reader {
  readonly tenantId: string;
  readonly userId: string;
}

/** What is searched, as a reader may. */
export interface SearchScope {
  readonly reader: Reader;
  readonly baseIds: readonly string[];
  /** Members that the metadata of files must have. */
  readonly filter?: JsonObject | undefined;
}

/** An index that a reader may search. */
export interface SearchedIndex {
  readonly id: string;
  readonly baseId: string;
  readonly model: string;
  /** Of its vectors; null where it has none yet. */
  readonly dimensions: number | null;
  readonly isApproximate: boolean;
}

/** A passage that is read, with the language of its file as primary subtag of BCP 47; null where it is not known. */
export interface ReadPassage extends Omit<FoundPassage, 'score'> {
  readonly language: string | null;
}

/** Reads passages, always with the reader's rights in the same statement. */
export class PassageQueries {
  constructor(private readonly dataSource: DataSource) {}

  /** The indexes of those bases that the reader may read. */
  indexes({ reader, baseIds }: SearchScope): Promise<SearchedIndex[]> {
    return this.run(sql`
      SELECT i.id, b.id AS "baseId", i.model, i.dimensions,
        i.is_approximate AS "isApproximate" FROM knowledge_bases b
      JOIN knowledge_indexes i ON i.base_id = b.id AND i.state = 'active'
      WHERE b.id = ANY(${baseIds}) AND ${readable(reader)}`);
  }

  /** The languages of the files of bases, as PostgreSQL calls them. */
  async configurations(baseIds: readonly string[]): Promise<string[]> {
    const rows = await this.run<{ language: string | null }>(sql`
      SELECT DISTINCT language FROM knowledge_files
      WHERE base_id = ANY(${baseIds}) AND deleted_at IS NULL AND status = 'ready'`);
    return [...new Set(rows.map(({ language }) => searchConfiguration(language)))];
  }

  /** The passages with words of a text. */
  byKeywords(scope: SearchScope, indexIds: readonly string[], question: KeywordQuestion): Promise<Ranked[]> {
    const condition = inReadableFiles(scope);
    const count = sql`(
      SELECT sum(f.chunk_count) FROM knowledge_files f JOIN knowledge_bases b ON b.id = f.base_id WHERE ${visible(scope)})`;
    // Whoever may read a base may read all of it.
    const counted = scope.filter ? condition : undefined;
    return this.run(rankByKeywords(question, { indexIds, condition, counted, count }));
  }

  /** The passages whose vectors are nearest to one, by the cosine between them. */
  byVector(
    scope: SearchScope,
    indexIds: readonly string[],
    { vector, limit }: { vector: readonly number[]; limit: number },
  ): Promise<Ranked[]> {
    const asked = sql`${toVectorBytes(vector)}::vector`;
    const ofIndexes = indexIds.map(
      (id) => sql`(
        SELECT v.chunk_id AS id, (1 - (v.embedding <=> ${asked}))::float8 AS score
        FROM ${vectorsOf(id)} v
        WHERE (v.file_id IN (SELECT f.id ${fromReadableFiles(scope, id)})) IS TRUE
        ORDER BY v.embedding <=> ${asked}, v.chunk_id LIMIT ${limit})`,
    );
    return this.run(sql`
      SELECT id, score FROM (${join(ofIndexes, ' UNION ALL ')}) found ORDER BY score DESC, id LIMIT ${limit}`);
  }

  /**
   * The same by an index of the database, which goes on until it has found enough that the reader may read. It may miss
   * some of the nearest.
   */
  byVectorIndex(
    scope: SearchScope,
    { id }: SearchedIndex,
    { vector, limit }: { vector: readonly number[]; limit: number },
  ): Promise<Ranked[]> {
    const asked = sql`${toVectorBytes(vector)}::vector`;
    // OFFSET keeps the planner from joining first, and sorting all of that.
    const { text, values } = sql`
      SELECT v.chunk_id AS id, (1 - (v.embedding <=> ${asked}))::float8 AS score
      FROM ${vectorsOf(id)} v
      WHERE EXISTS (
        SELECT FROM (SELECT v.file_id) AS given ${ofReadableFiles(sql`given.file_id`, sql`${id}`)}
        WHERE ${visible(scope)} OFFSET 0)
      ORDER BY v.embedding <=> ${asked} LIMIT ${limit}`;
    return this.dataSource.transaction(async (tx) => {
      await tx.query(SEARCH_ON, [String(Math.min(MOST_EXAMINED, limit * EXAMINED))]);
      return tx.query<Ranked[]>(text, values);
    });
  }

  /** What passages say. @returns those that the reader may still read, in any order */
  passages(scope: SearchScope, ids: readonly string[]): Promise<ReadPassage[]> {
    return this.run(sql`
      WITH found AS MATERIALIZED (SELECT * FROM knowledge_chunks WHERE id = ANY(${ids}))
      SELECT c.id AS "chunkId", f.id AS "fileId", b.id AS "knowledgebaseId", f.filename, c.text, c.page,
        c.start_at AS start, c.end_at AS "end", c.headings, f.metadata, f.language
      FROM found c ${ofReadableFiles(sql`c.file_id`, sql`c.index_id`)}
      WHERE ${visible(scope)}`);
  }

  /** The passages of a file in their order, with the language of the file; none where the reader may not read it. */
  ofFile(scope: SearchScope, fileId: string, most: number): Promise<(FilePassage & { language: string | null })[]> {
    return this.run(sql`
      SELECT c.text, c.page, c.start_at AS start, c.end_at AS "end", f.language
      FROM knowledge_chunks c ${ofReadableFiles(sql`c.file_id`, sql`c.index_id`)}
      WHERE c.file_id = ${fileId} AND ${visible(scope)} ORDER BY c.position LIMIT ${most}`);
  }

  private run<Row>({ text, values }: Sql): Promise<Row[]> {
    return this.dataSource.query<Row[]>(text, values);
  }
}

function readable({ tenantId, userId }: Reader): Sql {
  return sql`b.tenant_id = ${tenantId} AND b.deleted_at IS NULL AND (b.owner_id = ${userId} OR NOT b.is_private)`;
}

function ofReadableFiles(fileId: Sql, indexId: Sql): Sql {
  return sql`
    JOIN knowledge_files f ON f.id = ${fileId}
    JOIN knowledge_bases b ON b.id = f.base_id
    JOIN knowledge_indexes i ON i.id = ${indexId} AND i.base_id = b.id AND i.state = 'active'`;
}

/** The files are found once, where a join would look each of them up for each of its passages. */
function inReadableFiles(scope: SearchScope): Sql {
  return sql`((file_id, index_id) IN (
    SELECT f.id, i.id FROM knowledge_files f
    JOIN knowledge_bases b ON b.id = f.base_id
    JOIN knowledge_indexes i ON i.base_id = b.id AND i.state = 'active'
    WHERE ${visible(scope)})) IS TRUE`;
}

/** The files of the base of one index, joined once for all of its vectors. */
function fromReadableFiles(scope: SearchScope, indexId: string): Sql {
  return sql`
    FROM knowledge_files f
    JOIN knowledge_bases b ON b.id = f.base_id
    JOIN knowledge_indexes i ON i.base_id = b.id AND i.id = ${indexId} AND i.state = 'active'
    WHERE ${visible(scope)}`;
}

function visible({ reader, baseIds, filter }: SearchScope): Sql {
  const filtered = filter ? sql`AND f.metadata @> ${JSON.stringify(filter)}::jsonb` : empty;
  return sql`
    f.base_id = ANY(${baseIds}) AND ${readable(reader)} AND f.deleted_at IS NULL AND f.status = 'ready' ${filtered}`;
}
