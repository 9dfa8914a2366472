import { beforeAll, expect, it } from '@jest/globals';
import { PassageQueries } from '../../../src/knowledge/search/passage-queries.js';
import { Random } from '../../crash/random.js';
import { KnowledgeProbe } from '../../support/builders/knowledge.js';
import { recordStatements } from '../../support/probes/recorded-statements.js';
import { usePlatform } from '../../support/servers/use-servers.js';

it('ranks as BM25 does that looks at every passage, however words are spread', async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const random = new Random(seed);
    const corpus = Array.from({ length: 300 }, () => textOf(random, 5 + random.between(0, 30)));
    const queries = await fill(corpus);

    for (const words of [1, 2, 3, 4, 6, 9].map((count) => textOf(random, count))) {
      const found = await queries.byKeywords(scope, [indexId], {
        text: words,
        configurations: ['simple'],
        limit: LIMIT,
      });

      expect(rounded(found)).toEqual(rounded(rankAll(corpus, words)));
    }
  }
});

it('counts a word once, and again where passages have been added', async () => {
  const recorded = recordStatements(server.app.database.dataSource);
  const counting = new PassageQueries(recorded.dataSource);
  const find = () => counting.byKeywords(scope, [indexId], { text: 'w1 w2', configurations: ['simple'], limit: LIMIT });
  const corpus = ['w1 w3', 'w1 w4', 'w2 w5', 'w3 w4'];
  await fill(corpus);
  await find();

  await find();
  const counted = recorded.texts.filter((text) => text.includes('AS passages')).length;
  await fill([...corpus, 'w2 w6', 'w2 w7']);
  const found = await find();

  expect(counted).toBe(1);
  expect(rounded(found)).toEqual(rounded(rankAll([...corpus, 'w2 w6', 'w2 w7'], 'w1 w2')));
});

it('ranks passages that are longer together than an integer of the database', async () => {
  const queries = await fill(['w1 w2', 'w1 w3']);
  await server.query('UPDATE knowledge_chunks SET end_at = 2000000000');

  const found = await queries.byKeywords(scope, [indexId], { text: 'w1', configurations: ['simple'], limit: LIMIT });

  expect(found).toHaveLength(2);
});

const server = usePlatform();
let [indexId, fileId] = ['', ''];
let scope: Parameters<PassageQueries['indexes']>[0];
beforeAll(async () => {
  const { access_token: token, user } = await server.login();
  const base = await KnowledgeProbe.create(server, token);
  const [file] = await base.index({ 'first.txt': 'A text.' });
  const [row] = await server.query<{ tenantId: string }>('SELECT tenant_id AS "tenantId" FROM knowledge_bases');
  scope = { reader: { tenantId: row?.tenantId ?? '', userId: user.id }, baseIds: [base.id] };
  fileId = file?.id as string;
  indexId = (await new PassageQueries(server.app.database.dataSource).indexes(scope))[0]?.id ?? '';
});

const LIMIT = 3;
const VOCABULARY = 60;

/** Words of a vocabulary, the first ones more often. */
function textOf(random: Random, words: number): string {
  return Array.from({ length: words }, () => `w${Math.floor(VOCABULARY ** random.next())}`).join(' ');
}

/** Puts passages in the place of those of the file. @returns what knows nothing of those before */
async function fill(corpus: readonly string[]): Promise<PassageQueries> {
  await server.query('DELETE FROM knowledge_chunks');
  await server.query(
    `INSERT INTO knowledge_chunks (id, index_id, file_id, position, start_at, end_at, headings, text, hash, words)
     SELECT 'chk_' || lpad(n::text, 4, '0'), $1, $2, n, 0, length(text), '{}', text, 'x',
       to_tsvector('simple', text) || array_to_tsvector(ARRAY[$1::text])
     FROM unnest($3::text[]) WITH ORDINALITY AS passage (text, n)`,
    [indexId, fileId, corpus],
  );
  await server.query('UPDATE knowledge_files SET chunk_count = $1', [corpus.length]);
  return new PassageQueries(server.app.database.dataSource);
}

function rounded(found: readonly { id: string; score: number }[]): unknown[] {
  return found.map(({ id, score }) => [id, Number(score.toFixed(9))]);
}

interface Passage {
  readonly id: string;
  readonly words: readonly string[];
  readonly length: number;
}

/** The same without an index: twice as many as are wanted by the weight of their words, these by how often they come, too. */
function rankAll(corpus: readonly string[], asked: string): { id: string; score: number }[] {
  const passages: Passage[] = corpus.map((text, at) => ({
    id: `chk_${String(at + 1).padStart(4, '0')}`,
    words: text.split(' '),
    length: text.length,
  }));
  const having = (word: string) => passages.filter(({ words }) => words.includes(word));
  const words = [...new Set(asked.split(' '))].filter((word) => having(word).length > 0);
  const weights = new Map(
    words.map((word) => [word, Math.log((passages.length + 1) / (having(word).length + 0.5))] as const),
  );
  const matches = words.flatMap(having);
  const average = matches.reduce((sum, { length }) => sum + length, 0) / matches.length;
  const sumOf = (passage: Passage, of: (word: string, weight: number) => number) =>
    [...weights].reduce((sum, [word, weight]) => sum + (passage.words.includes(word) ? of(word, weight) : 0), 0);
  const bestOf = <T extends { id: string }>(all: readonly T[], score: (one: T) => number, count: number) =>
    all
      .map((one) => ({ one, score: score(one) }))
      .toSorted((a, b) => (Math.abs(a.score - b.score) > 1e-9 ? b.score - a.score : a.one.id < b.one.id ? -1 : 1))
      .slice(0, count);
  const best = bestOf([...new Set(matches)], (passage) => sumOf(passage, (_, weight) => weight), 2 * LIMIT);
  const scoreOf = (passage: Passage) =>
    sumOf(passage, (word, weight) => {
      const often = passage.words.filter((one) => one === word).length;
      return (weight * often) / (often + 1.2 * (0.25 + (0.75 * passage.length) / average));
    });
  return bestOf(
    best.map(({ one }) => one),
    scoreOf,
    LIMIT,
  ).map(({ one, score }) => ({ id: one.id, score }));
}
