/**
 * Times what a knowledge base costs without a server around it, in a process of its own, and prints that: plain SQL
 * statements that find the same passages, and the parts of an ingest. The database is that of the environment, which no
 * server has open; the argument tells what is there.
 */
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { readConfig } from '../../src/config.js';
import { schema } from '../../src/domains.js';
import { embed } from '../../src/inference/builtin/builtin-embeddings.js';
import { countTokens } from '../../src/inference/calls/tokenizer.js';
import { KnowledgeFile } from '../../src/knowledge/files/knowledge-file.entity.js';
import { KnowledgeIndex } from '../../src/knowledge/index/knowledge-index.entity.js';
import { chunksOf } from '../../src/knowledge/ingest/chunker.js';
import { ChunkWriter, toEmbeddedText, WRITE_SIZES } from '../../src/knowledge/index/chunk-writer.js';
import { CHUNK_SIZES } from '../../src/knowledge/ingest/file-indexer.js';
import { fuseRankings } from '../../src/knowledge/search/rank-fusion.js';
import type { Ranked } from '../../src/knowledge/search/rank-fusion.js';
import { openDatabase } from '../../src/platform/database/database.js';
import type { Job } from '../../src/platform/jobs/job.types.js';
import { Extractor } from '../../src/platform/extraction/extractor.js';
import { percentile } from '../load.js';
import { MODES } from './knowledge-client.js';
import type { Mode } from './knowledge-client.js';
import { proseOf, questionsOf } from './prose.js';

/** What is to be timed. */
export interface TimedKnowledge {
  /** Bases by what they are called in the results. */
  readonly bases: Readonly<Record<string, string>>;
  readonly modes: readonly Mode[];
  readonly questions: number;
  readonly warmUp: number;
  /** The file that is read once more, and the text in it. */
  readonly ingest: { readonly baseId: string; readonly bytes: number; readonly seed: number };
}

/** What was timed. */
export interface TimedParts {
  /** By base and mode. */
  readonly queries: Readonly<Record<string, Partial<Record<Mode, { readonly p50: number; readonly p99: number }>>>>;
  /** Seconds, which together are the whole. */
  readonly ingest: Readonly<Record<'extraction' | 'chunking' | 'embedding' | 'writing', number>>;
}

const FOUND = 8;
/** Of each way to search, where both are joined. */
const CANDIDATES = 50;

const BY_KEYWORDS = `
  SELECT c.id, c.text, ts_rank_cd(c.words, asked.words, 1)::float8 AS score
  FROM (SELECT replace(plainto_tsquery('english', $1)::text, '&', '|')::tsquery AS words) asked, knowledge_chunks c
  WHERE c.words @@ ($2::tsquery && asked.words) ORDER BY score DESC, c.id LIMIT $3`;
const BY_VECTOR = `
  SELECT c.id, c.text, (1 - v.distance)::float8 AS score FROM (
    SELECT chunk_id, embedding <=> $1::vector AS distance FROM knowledge_vectors WHERE index_id = $2
    ORDER BY distance, chunk_id LIMIT $3) v
  JOIN knowledge_chunks c ON c.id = v.chunk_id ORDER BY v.distance, c.id`;

const { signal } = new AbortController();
const log = pino({ level: 'silent' });
const config = readConfig();
const timed = JSON.parse(process.argv[2] ?? '{}') as TimedKnowledge;
const database = await openDatabase(config, schema, log);
const { dataSource } = database;
try {
  console.log(JSON.stringify({ queries: await timeQueries(), ingest: await timeIngest() } satisfies TimedParts));
} finally {
  await database.close();
}

async function timeQueries(): Promise<TimedParts['queries']> {
  const questions = questionsOf(timed.questions);
  const vectors = new Map<string, string>();
  for (const question of questions) vectors.set(question, `[${(await vectorsOf([question]))[0]?.join(',')}]`);
  const ways: Record<Mode, (indexId: string, question: string) => Promise<object[]>> = {
    keyword: (indexId, question) => byKeywords(indexId, question, FOUND),
    vector: (indexId, question) => byVector(indexId, vectors.get(question), FOUND),
    hybrid: async (indexId, question) => {
      const rankings = await Promise.all([
        byKeywords(indexId, question, CANDIDATES),
        byVector(indexId, vectors.get(question), CANDIDATES),
      ]);
      return fuseRankings(rankings).slice(0, FOUND);
    },
  };
  const results: Record<string, Partial<Record<Mode, { p50: number; p99: number }>>> = {};
  for (const [name, baseId] of Object.entries(timed.bases)) {
    const { id } = await activeIndex(baseId);
    const ofBase: Partial<Record<Mode, { p50: number; p99: number }>> = {};
    for (const mode of MODES.filter((one) => timed.modes.includes(one))) {
      for (const question of questions.slice(0, timed.warmUp)) await ways[mode](id, question);
      const times: number[] = [];
      for (const question of questions) {
        const startedAt = performance.now();
        const found = await ways[mode](id, question);
        times.push(performance.now() - startedAt);
        if (found.length === 0) throw new Error(`Nothing is found: ${question}`);
      }
      times.sort((a, b) => a - b);
      ofBase[mode] = { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
    }
    results[name] = ofBase;
  }
  return results;
}

function byKeywords(indexId: string, question: string, limit: number): Promise<Ranked[]> {
  return dataSource.query(BY_KEYWORDS, [question, `'${indexId}'`, limit]);
}

function byVector(indexId: string, vector: string | undefined, limit: number): Promise<Ranked[]> {
  return dataSource.query(BY_VECTOR, [vector, indexId, limit]);
}

/** Reads a file once more, one part after another. */
async function timeIngest(): Promise<TimedParts['ingest']> {
  const { baseId, bytes, seed } = timed.ingest;
  const text = Buffer.from(proseOf(bytes, seed));
  const file = await dataSource.manager.findOneByOrFail(KnowledgeFile, { baseId });
  const index = await activeIndex(baseId);
  await dataSource.query('DELETE FROM knowledge_chunks WHERE file_id = $1', [file.id]);
  const spent = { extraction: 0, chunking: 0, embedding: 0, writing: 0 };
  const timing = async <T>(part: keyof typeof spent, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const result = await work();
    spent[part] = (performance.now() - startedAt) / 1_000;
    return result;
  };
  const extractor = await Extractor.open(config, log);
  const countOne = (counted: string) => countTokens([counted], signal);
  try {
    const pages = await timing('extraction', () =>
      allOf(extractor.extract(Readable.from([text]), { kind: file.kind, signal })),
    );
    const chunks = await timing('chunking', () =>
      allOf(chunksOf(Readable.from(pages), { ...CHUNK_SIZES, countTokens: countOne, signal })),
    );
    const vectors = await timing('embedding', async () =>
      timed.modes.includes('vector') ? vectorsOf(chunks.map(toEmbeddedText)) : undefined,
    );
    const rows = chunks.map((chunk, position) => ({ ...chunk, position, vector: vectors?.[position] }));
    const target = { indexId: index.id, fileId: file.id, language: file.language };
    const writer = new ChunkWriter(database.embedded ? WRITE_SIZES.embedded : WRITE_SIZES.server);
    const transaction: Job['transaction'] = (work) => dataSource.transaction(work);
    await timing('writing', async () => {
      await writer.write(transaction, target, rows);
      await writer.finish(transaction);
    });
  } finally {
    extractor.close();
  }
  return spent;
}

async function allOf<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

function activeIndex(baseId: string): Promise<KnowledgeIndex> {
  return dataSource.manager.findOneByOrFail(KnowledgeIndex, { baseId, state: 'active' });
}

async function vectorsOf(input: readonly string[]): Promise<number[][]> {
  const { data } = await embed({ model: 'builtin-hash-embedding', input: [...input] }, signal);
  return (data as { embedding: number[] }[]).map(({ embedding }) => embedding);
}
