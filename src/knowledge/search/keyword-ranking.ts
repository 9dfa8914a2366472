import sql, { join } from 'sql-template-tag';
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
  /** Joins `f` to the passages `c`. */
  readonly join: Sql;
  /** A condition on both. */
  readonly condition: Sql;
  /** How many there are, as a subquery. */
  readonly count: Sql;
}

/**
 * A statement that ranks passages by BM25: any of the words, the rarer the more. PostgreSQL's own ranks know nothing of
 * how rare words are. The index tells who has a word; how often is looked up for those alone that the words' rarity
 * brings to the top, since a tsvector takes as long to read as it is. Each step is materialized: without statistics,
 * which the embedded database never gathers, passages would be read once for each word.
 */
export function rankByKeywords(
  { text, configurations, limit }: KeywordQuestion,
  { indexIds, join: files, condition, count }: SearchedPassages,
): Sql {
  const words = separateWords(text);
  const stems = configurations.map(
    (name) => sql`SELECT lexeme, positions[1] AS place FROM unnest(to_tsvector(${name}::regconfig, ${words}))`,
  );
  const inIndexes = indexIds.map((id) => `'${id}'`).join(' | ');
  return sql`
    WITH asked AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY min(place), lexeme) AS word, lexeme,
        ('''' || regexp_replace(lexeme, '([''\\\\])', '\\1\\1', 'g') || '''')::tsquery AS query
      FROM (${join(stems, ' UNION ALL ')}) AS stems GROUP BY lexeme ORDER BY word LIMIT ${MOST_WORDS}
    ), found AS MATERIALIZED (
      SELECT asked.word, c.id, c.file_id, c.index_id, c.end_at - c.start_at AS length
      FROM asked JOIN knowledge_chunks c ON c.words @@ (${inIndexes}::tsquery && asked.query)
    ), held AS MATERIALIZED (
      SELECT c.word, c.id, c.length FROM found c ${files} WHERE ${condition}
    ), weighed AS MATERIALIZED (
      SELECT word, ln((${count} + 1) / (count(*) + 0.5))::float8 AS weight FROM held GROUP BY word
    ), best AS MATERIALIZED (
      SELECT id, ${1 - LENGTH_SHARE}::float8 + ${LENGTH_SHARE}::float8 * length / (SELECT avg(length) FROM held) AS long
      FROM held GROUP BY id, length
      ORDER BY sum((ARRAY(SELECT weight FROM asked LEFT JOIN weighed USING (word) ORDER BY word))[word]) DESC, id
      LIMIT ${limit * CLOSELY}
    )
    SELECT id, (
      SELECT sum(weight * cardinality(positions) / (cardinality(positions) + ${SATURATION}::float8 * long))::float8
      FROM unnest(c.words) JOIN asked USING (lexeme) JOIN weighed USING (word)
    ) AS score
    FROM best JOIN knowledge_chunks c USING (id) ORDER BY score DESC, id LIMIT ${limit}`;
}
