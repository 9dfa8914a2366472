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

/** So many passages are ranked at most: those with rarer words first. */
const MOST_RANKED = 10_000;

/** What is looked for. */
export interface KeywordQuestion {
  readonly text: string;
  /** The text search configurations whose stems it is looked for by. */
  readonly configurations: readonly string[];
  readonly limit: number;
}

/** The passages that may be found. */
export interface SearchedPassages {
  readonly indexIds: readonly string[];
  /** A condition on `knowledge_chunks`. */
  readonly condition: Sql;
}

/** A stem, and in how many of the searched passages it is. */
export interface CountedWord {
  readonly lexeme: string;
  readonly passages: number;
  /** Of these passages together, in UTF-16 units. */
  readonly length: number;
}

/** A stem, and how it is looked for. */
interface RankedWord extends CountedWord {
  readonly weight: number;
  /** As PostgreSQL writes a `tsquery`. */
  readonly query: string;
  /** So many passages are read for it. */
  readonly most: number;
}

/** The stems of a question, as an array of texts. */
export function stemsOf({ text, configurations }: KeywordQuestion): Sql {
  const words = separateWords(text);
  const stems = configurations.map(
    (name) => sql`SELECT lexeme, positions[1] AS place FROM unnest(to_tsvector(${name}::regconfig, ${words}))`,
  );
  return sql`ARRAY(
    SELECT lexeme FROM (${join(stems, ' UNION ALL ')}) AS stems
    GROUP BY lexeme ORDER BY min(place), lexeme LIMIT ${MOST_WORDS})`;
}

/** A statement that counts words, as `CountedWord`. */
export function countWords(lexemes: readonly string[], { indexIds, condition }: SearchedPassages): Sql {
  const queries = lexemes.map((lexeme) => allOf(anyOf(indexIds), quoted(lexeme)));
  return sql`
    SELECT lexeme, passages, length FROM unnest(${lexemes}::text[], ${queries}::tsquery[]) AS asked (lexeme, query), LATERAL (
      SELECT count(*)::integer AS passages, coalesce(sum(end_at - start_at), 0)::float8 AS length
      FROM knowledge_chunks WHERE words @@ query AND ${condition} OFFSET 0) AS c`;
}

/**
 * A statement that ranks passages by BM25: any of the words, the rarer the more. PostgreSQL's own ranks know nothing of
 * how rare words are. The index tells who has a word; how often is looked up for those alone that the words' rarity
 * brings to the top, since a tsvector takes as long to read as it is. Each step is materialized, and each word looked for
 * by itself: without statistics, which the embedded database never gathers, the planner would have all passages read for
 * each word.
 * @param total of all passages
 */
export function rankByKeywords(
  counted: readonly CountedWord[],
  total: number,
  limit: number,
  { indexIds, condition }: SearchedPassages,
): Sql {
  const words = rankedWords(counted, total, limit * CLOSELY, indexIds);
  const [passages, length] = [sumOf(words, 'passages'), sumOf(words, 'length')];
  return sql`
    WITH weighed AS MATERIALIZED (
      SELECT * FROM unnest(${words.map(({ lexeme }) => lexeme)}::text[], ${words.map(({ weight }) => weight)}::float8[],
        ${words.map(({ query }) => query)}::tsquery[], ${words.map(({ most }) => most)}::integer[])
        AS word (lexeme, weight, query, most)
    ), found AS MATERIALIZED (
      SELECT c.id, c.length, weight FROM weighed, LATERAL (
        WITH every AS MATERIALIZED (
          SELECT id, end_at - start_at AS length FROM knowledge_chunks WHERE words @@ query AND ${condition})
        SELECT * FROM every LIMIT most) AS c
    ), best AS MATERIALIZED (
      SELECT id, ${1 - LENGTH_SHARE}::float8 + ${LENGTH_SHARE}::float8 * length / ${length / passages}::float8 AS long
      FROM found GROUP BY id, length ORDER BY sum(weight) DESC, id LIMIT ${limit * CLOSELY}
    )
    SELECT id, (
      SELECT sum(weight * cardinality(positions) / (cardinality(positions) + ${SATURATION}::float8 * long))::float8
      FROM unnest(c.words) JOIN weighed USING (lexeme)
    ) AS score
    FROM best JOIN knowledge_chunks c USING (id) ORDER BY score DESC, id LIMIT ${limit}`;
}

/**
 * The rarest words bring passages; the others are looked for in these alone. A passage with none of the rarest has less
 * weight than each of as many as are wanted: Turtle and Flood, Query evaluation: strategies and optimizations (1995).
 */
function rankedWords(
  counted: readonly CountedWord[],
  total: number,
  wanted: number,
  indexIds: readonly string[],
): RankedWord[] {
  const words = counted
    .map((word) => ({ ...word, weight: Math.log((Math.max(total, word.passages) + 1) / (word.passages + 0.5)) }))
    .toSorted((a, b) => a.passages - b.passages || (a.lexeme < b.lexeme ? -1 : 1));
  const bringing = countBringing(words, wanted);
  const rarest = anyOf(words.slice(0, bringing).map(({ lexeme }) => lexeme));
  const inIndexes = anyOf(indexIds);
  return words.map((word, at) => {
    if (at >= bringing) {
      return { ...word, query: allOf(inIndexes, quoted(word.lexeme), rarest), most: MOST_RANKED };
    }
    const most = Math.max(0, MOST_RANKED - sumOf(words.slice(0, at), 'passages'));
    return { ...word, query: allOf(inIndexes, quoted(word.lexeme)), most };
  });
}

/** @param words the rarest first @param wanted passages */
function countBringing(words: readonly (CountedWord & { readonly weight: number })[], wanted: number): number {
  const first = words.findIndex(({ passages }) => passages >= wanted);
  if (first < 0) return words.length;
  const [least, weights] = [words[first]?.weight ?? 0, words.map(({ weight }) => weight)];
  let count = words.length;
  let others = 0;
  for (; count > first + 1; count -= 1) {
    others += weights[count - 1] ?? 0;
    if (others >= least) break;
  }
  return count;
}

function sumOf(words: readonly CountedWord[], member: 'passages' | 'length'): number {
  return words.reduce((sum, word) => sum + word[member], 0);
}

function anyOf(lexemes: readonly string[]): string {
  return `(${lexemes.map(quoted).join(' | ')})`;
}

function allOf(...queries: readonly string[]): string {
  return queries.join(' & ');
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'`;
}
