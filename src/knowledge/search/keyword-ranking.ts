import sql, { empty, join } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { separateWords } from '../index/search-words.js';

/** A long text says with its first words what it is about. */
const MOST_WORDS = 32;
/** So many times as many as are wanted are read. */
const CLOSELY = 2;
/**
 * How much a word that comes again counts, and how much the length of a passage does, as is usual: Robertson and
 * Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009).
 */
const [SATURATION, LENGTH_SHARE] = [1.2, 0.75];

/** So many passages are ranked at most: those with rarer words first. */
const MOST_RANKED = 10_000;

/** What is looked for. */
export interface KeywordQuestion {
  readonly text: string;
  /** The text search configurations whose stems it is looked for by. */
  readonly configurations: readonly string[];
  readonly limit: number;
}

/** The passages that may be found, as parts of a statement. */
export interface SearchedPassages {
  readonly indexIds: readonly string[];
  /** A condition on `knowledge_chunks`. */
  readonly condition: Sql;
  /** A condition on those that words are counted in, which tells how rare they are; undefined: on all of the indexes. */
  readonly counted: Sql | undefined;
  /** How many these are, as a subquery. */
  readonly count: Sql;
}

/**
 * A statement that ranks passages by BM25: any of the words, the rarer the more. PostgreSQL's own ranks know nothing of
 * how rare words are. The index tells who has a word; how often is looked up for those alone that the words' rarity
 * brings to the top, since a tsvector takes as long to read as it is. A word that is in very many passages brings none
 * by itself where rarer ones bring enough. Each step is materialized, and each word looked for by itself: without
 * statistics, which the embedded database never gathers, the planner would have all passages read for each word.
 */
export function rankByKeywords(
  { text, configurations, limit }: KeywordQuestion,
  { indexIds, condition, counted, count }: SearchedPassages,
): Sql {
  const words = separateWords(text);
  const stems = configurations.map(
    (name) => sql`SELECT lexeme, positions[1] AS place FROM unnest(to_tsvector(${name}::regconfig, ${words}))`,
  );
  const inIndexes = indexIds.map((id) => `'${id}'`).join(' | ');
  return sql`
    WITH asked AS MATERIALIZED (
      SELECT lexeme, ${inIndexes}::tsquery
        && ('''' || regexp_replace(lexeme, '([''\\\\])', '\\1\\1', 'g') || '''')::tsquery AS query
      FROM (${join(stems, ' UNION ALL ')}) AS stems GROUP BY lexeme ORDER BY min(place), lexeme LIMIT ${MOST_WORDS}
    ), counted AS MATERIALIZED (
      SELECT lexeme, query, passages FROM asked, LATERAL (
        SELECT count(*) AS passages FROM knowledge_chunks WHERE words @@ query ${counted ? sql`AND ${counted}` : empty}
        OFFSET 0) AS c
    ), weighed AS MATERIALIZED (
      SELECT lexeme, query, ln((greatest(${count}, passages) + 1) / (passages + 0.5))::float8 AS weight,
        ${MOST_RANKED} - coalesce(sum(passages) OVER rarer, 0) AS room
      FROM counted WHERE passages > 0
      WINDOW rarer AS (ORDER BY passages, lexeme ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ), found AS MATERIALIZED (
      SELECT c.id, c.length, weight FROM weighed, LATERAL (
        WITH every AS MATERIALIZED (
          SELECT id, end_at - start_at AS length FROM knowledge_chunks WHERE words @@ query AND ${condition})
        SELECT * FROM every LIMIT greatest(room, 0)::bigint) AS c
    ), best AS MATERIALIZED (
      SELECT id, ${1 - LENGTH_SHARE}::float8 + ${LENGTH_SHARE}::float8 * length / (SELECT avg(length) FROM found) AS long
      FROM found GROUP BY id, length ORDER BY sum(weight) DESC, id LIMIT ${limit * CLOSELY}
    )
    SELECT id, (
      SELECT sum(weight * cardinality(positions) / (cardinality(positions) + ${SATURATION}::float8 * long))::float8
      FROM unnest(c.words) JOIN weighed USING (lexeme)
    ) AS score
    FROM best JOIN knowledge_chunks c USING (id) ORDER BY score DESC, id LIMIT ${limit}`;
}
