import type { DataSource } from 'typeorm';
import sql, { empty, join } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { CallerPlaces, PlaceSeeker } from '../../platform/async/caller-places.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { searchConfiguration } from '../index/search-words.js';
import { toVectorBytes } from '../index/vector-bytes.js';
import { LEAST_CHUNKS } from '../index/vector-index-jobs.js';
import { vectorsOf } from '../index/vector-tables.js';
import type { FilePassage } from './joined-passages.js';
import { countWords, rankByKeywords, stemsOf } from './keyword-ranking.js';
import type { KeywordQuestion } from './keyword-ranking.js';
import type { Ranked } from './rank-fusion.js';
import type { FoundPassage } from './search.types.js';
import { WordCounts } from './word-counts.js';

/**
 * How an index is searched: as thoroughly as pgvector can, and on in any order until enough is found. In strict order it
 * would leave out what it finds late, which is a tenth to a third of the nearest where a filter is given.
 */
const SCAN_SETTINGS =
  "SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', '1000', true)";

/** Whose rights hold, asked for in each query anew. */
export type Reader = PlaceSeeker;

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

/** Vectors that are looked for. */
export interface NearestQuestion {
  readonly vector: readonly number[];
  readonly limit: number;
}

/** A passage that is read, with the language of its file as primary subtag of BCP 47; null where it is not known. */
export interface ReadPassage extends Omit<FoundPassage, 'score'> {
  readonly language: string | null;
}

/** Reads passages, always with the reader's rights in the same statement. */
export class PassageQueries {
  private readonly wordCounts = new WordCounts();

  /** @param places in which its statements run; left out: as many as there are at once */
  constructor(
    private readonly dataSource: DataSource,
    private readonly places?: Pick<CallerPlaces, 'run'>,
  ) {}

  /** The indexes of those bases that the reader may read. */
  indexes({ reader, baseIds }: SearchScope): Promise<SearchedIndex[]> {
    return this.run(
      reader,
      sql`
      SELECT i.id, b.id AS "baseId", i.model, i.dimensions,
        i.is_approximate AS "isApproximate" FROM knowledge_bases b
      JOIN knowledge_indexes i ON i.base_id = b.id AND i.state = 'active'
      WHERE b.id = ANY(${baseIds}) AND ${readable(reader)}`,
    );
  }

  /** The languages of the files of bases, as PostgreSQL calls them. */
  async configurations({ reader, baseIds }: SearchScope): Promise<string[]> {
    const rows = await this.run<{ language: string | null }>(
      reader,
      sql`
      SELECT DISTINCT language FROM knowledge_files
      WHERE base_id = ANY(${baseIds}) AND deleted_at IS NULL AND status = 'ready'`,
    );
    return [...new Set(rows.map(({ language }) => searchConfiguration(language)))];
  }

  /** The passages with words of a text. */
  async byKeywords(scope: SearchScope, indexIds: readonly string[], question: KeywordQuestion): Promise<Ranked[]> {
    const { reader } = scope;
    const passages = { indexIds, condition: inReadableFiles(scope) };
    const [asked] = await this.run<{ lexemes: string[]; total: number | null; newest: string | null }>(
      reader,
      sql`
      SELECT ${stemsOf(question)} AS lexemes, sum(f.chunk_count)::integer AS total, max(f.id) AS newest
      FROM knowledge_files f JOIN knowledge_bases b ON b.id = f.base_id WHERE ${visible(scope)}`,
    );
    const { lexemes = [], total, newest } = asked ?? {};
    const searched = JSON.stringify([indexIds.toSorted(), scope.filter, total, newest]);
    const counted = await this.wordCounts.of(searched, lexemes, (unknown) =>
      this.run(reader, countWords(unknown, passages)),
    );
    const words = counted.filter((word) => word.passages > 0);
    return words.length === 0 ? [] : this.run(reader, rankByKeywords(words, total ?? 0, question.limit, passages));
  }

  /**
   * The passages whose vectors are nearest to one, by the cosine between them, as many as there are: by an index of the
   * database where it has one and comparing would take longer, which may miss some of the nearest. What has no
   * direction, as a vector of zeros, is near to nothing: its score is no number.
   */
  async nearest(scope: SearchScope, indexes: readonly SearchedIndex[], wanted: NearestQuestion): Promise<Ranked[]> {
    const withVectors = indexes.filter(({ dimensions }) => dimensions !== null);
    const large = await this.largeBases(scope, withVectors);
    const { indexed = [], compared = [] } = Object.groupBy(withVectors, ({ baseId }) =>
      large.has(baseId) ? 'indexed' : 'compared',
    );
    const ids = compared.map(({ id }) => id);
    const found = await Promise.all([
      ids.length === 0 ? [] : this.byVector(scope, ids, wanted),
      ...indexed.map(async (index) => {
        const some = await this.byVectorIndex(scope, index, wanted);
        // It ends when it has met `hnsw.max_scan_tuples` vectors.
        return some.length < wanted.limit ? this.byVector(scope, [index.id], wanted) : some;
      }),
    ]);
    return found
      .flat()
      .filter(({ score }) => !Number.isNaN(score))
      .sort((a, b) => b.score - a.score)
      .slice(0, wanted.limit);
  }

  /**
   * Of the bases with an index of the database, those in which more may be found than is compared. Comparing misses none;
   * asking the index takes the longer the fewer of its vectors may be found, since it meets all the others, too.
   */
  private async largeBases(scope: SearchScope, indexes: readonly SearchedIndex[]): Promise<ReadonlySet<string>> {
    const baseIds = indexes.filter(({ isApproximate }) => isApproximate).map(({ baseId }) => baseId);
    if (baseIds.length === 0) return new Set();
    const rows = await this.run<{ baseId: string }>(
      scope.reader,
      sql`
      SELECT f.base_id AS "baseId" FROM knowledge_files f JOIN knowledge_bases b ON b.id = f.base_id
      WHERE ${visible({ ...scope, baseIds })} GROUP BY f.base_id HAVING sum(f.chunk_count) > ${LEAST_CHUNKS}`,
    );
    return new Set(rows.map(({ baseId }) => baseId));
  }

  /** The same by comparing all vectors, of the files that may be read alone. */
  byVector(scope: SearchScope, indexIds: readonly string[], { vector, limit }: NearestQuestion): Promise<Ranked[]> {
    const asked = sql`${toVectorBytes(vector)}::vector`;
    // OFFSET keeps the planner from reading the vectors of all other files, too.
    const ofIndexes = indexIds.map(
      (id) => sql`(
        SELECT v.id, v.distance FROM (SELECT f.id ${fromReadableFiles(scope, id)}) file, LATERAL (
          SELECT chunk_id AS id, embedding <=> ${asked} AS distance FROM ${vectorsOf(id)}
          WHERE file_id = file.id OFFSET 0) v
        ORDER BY distance, id LIMIT ${limit})`,
    );
    return this.run(
      scope.reader,
      sql`
      SELECT id, (1 - distance)::float8 AS score FROM (${join(ofIndexes, ' UNION ALL ')}) found
      ORDER BY distance, id LIMIT ${limit}`,
    );
  }

  /** The same by the HNSW index of one index. It may miss some, and end with fewer than there are. */
  byVectorIndex(scope: SearchScope, { id }: SearchedIndex, { vector, limit }: NearestQuestion): Promise<Ranked[]> {
    // The base is looked up once, and each file by its id: joined, all vectors would be read and sorted first.
    const { text, values } = sql`
      SELECT id, (1 - distance)::float8 AS score FROM (
        SELECT v.chunk_id AS id, v.embedding <=> ${toVectorBytes(vector)}::vector AS distance FROM ${vectorsOf(id)} v
        WHERE EXISTS (
          SELECT FROM (SELECT * FROM knowledge_files WHERE id = v.file_id OFFSET 0) f
          WHERE ${isFindable(scope)} AND f.base_id = (
            SELECT b.id FROM knowledge_bases b JOIN knowledge_indexes i ON i.base_id = b.id
            WHERE i.id = ${id} AND i.state = 'active' AND b.id = ANY(${scope.baseIds}) AND ${readable(scope.reader)}))
        ORDER BY distance LIMIT ${limit}) found
      ORDER BY distance + 0, id`;
    const search = () =>
      this.dataSource.transaction(async (tx) => {
        await tx.query(SCAN_SETTINGS);
        return tx.query<Ranked[]>(text, values);
      });
    return this.inPlace(scope.reader, search);
  }

  /** What passages say. @returns those that the reader may still read, in any order */
  passages(scope: SearchScope, ids: readonly string[]): Promise<ReadPassage[]> {
    return this.run(
      scope.reader,
      sql`
      WITH found AS MATERIALIZED (SELECT * FROM knowledge_chunks WHERE id = ANY(${ids}))
      SELECT c.id AS "chunkId", f.id AS "fileId", b.id AS "knowledgebaseId", f.filename, c.text, c.page,
        c.start_at AS start, c.end_at AS "end", c.headings, f.metadata, f.language
      FROM found c ${ofReadableFiles(sql`c.file_id`, sql`c.index_id`)}
      WHERE ${visible(scope)}`,
    );
  }

  /** The passages of a file in their order, with the language of the file; none where the reader may not read it. */
  ofFile(scope: SearchScope, fileId: string, most: number): Promise<(FilePassage & { language: string | null })[]> {
    return this.run(
      scope.reader,
      sql`
      SELECT c.text, c.page, c.start_at AS start, c.end_at AS "end", f.language
      FROM knowledge_chunks c ${ofReadableFiles(sql`c.file_id`, sql`c.index_id`)}
      WHERE c.file_id = ${fileId} AND ${visible(scope)} ORDER BY c.position LIMIT ${most}`,
    );
  }

  private run<Row>(reader: Reader, { text, values }: Sql): Promise<Row[]> {
    return this.inPlace(reader, () => this.dataSource.query<Row[]>(text, values));
  }

  private inPlace<T>(reader: Reader, work: () => Promise<T>): Promise<T> {
    return this.places ? this.places.run(reader, work) : work();
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

function visible(scope: SearchScope): Sql {
  return sql`f.base_id = ANY(${scope.baseIds}) AND ${readable(scope.reader)} AND ${isFindable(scope)}`;
}

function isFindable({ filter }: SearchScope): Sql {
  const filtered = filter ? sql`AND f.metadata @> ${JSON.stringify(filter)}::jsonb` : empty;
  return sql`f.deleted_at IS NULL AND f.status = 'ready' ${filtered}`;
}
