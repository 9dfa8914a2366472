import { beforeAll, expect, it } from '@jest/globals';
import { proseOf } from '../../../bench/knowledge/prose.js';
import { embed } from '../../../src/inference/builtin/builtin-embeddings.js';
import { PassageQueries } from '../../../src/knowledge/search/passage-queries.js';
import type { Ranked } from '../../../src/knowledge/search/rank-fusion.js';
import { Random } from '../../crash/random.js';
import { createBaseOfVectors } from '../../support/builders/base-of-vectors.js';
import type { BaseOfVectors } from '../../support/builders/base-of-vectors.js';
import { onVectors } from '../../support/servers/services.js';
import { usePlatform } from '../../support/servers/use-servers.js';

onVectors.describe.each([
  ['in topics, as those of embedding models are', topicalVectors],
  ['of the builtin model, for prose and questions', proseVectors],
])('of 24,000 vectors %s', (_, make) => {
  it('0.95 of the nearest ten are found, and as many as there are, whatever share a filter fits', async () => {
    for (const permille of [1, 5, 20, 100, 250, 500, 1_000]) {
      const results = await compare(permille);

      console.log(`${permille / 10} %: ${JSON.stringify(results)}`);
      expect(results.fewer).toBe(0);
      expect(results.recall).toBeGreaterThanOrEqual(0.95);
      expect(results.recallOfIndex ?? 1).toBeGreaterThanOrEqual(0.95);
    }
  });

  const server = usePlatform();
  let [base, questions]: [BaseOfVectors, readonly (readonly number[])[]] = [] as never;
  beforeAll(async () => {
    const random = new Random(5);
    const made = await make(random);
    questions = made.questions;
    // Each file fits every filter that lets in a share beyond its own place.
    const places = Array.from({ length: FILES }, (_number, n) => (n * 7_919) % FILES);
    const files = places.map((place) => Object.fromEntries(SHARES.map((share) => [`p${share}`, place < share])));
    base = await createBaseOfVectors(server, files, made.vectors);
  });

  /** @returns the times in milliseconds */
  async function compare(permille: number) {
    const queries = new PassageQueries(server.app.database.dataSource);
    const scope = base.scope(permille === FILES ? undefined : { [`p${permille}`]: true });
    // In larger bases the index is asked with such a filter, too.
    const asksIndex = permille >= 100;
    const sums = { recall: 0, fewer: 0, compared: 0, ...(asksIndex && { recallOfIndex: 0, index: 0 }) };
    for (const vector of questions) {
      const wanted = { vector, limit: 50 };
      const [exact, exactTime] = await timed(() => queries.byVector(scope, [base.index.id], wanted));
      const found = await queries.nearest(scope, [base.index], wanted);
      sums.recall += recallOf(found, exact) / questions.length;
      sums.compared += exactTime / questions.length;
      if (found.length < Math.min(50, (VECTORS * permille) / FILES)) sums.fewer += 1;
      if (sums.recallOfIndex === undefined || sums.index === undefined) continue;
      const [indexed, indexTime] = await timed(() => queries.byVectorIndex(scope, base.index, wanted));
      sums.recallOfIndex += recallOf(indexed, exact) / questions.length;
      sums.index += indexTime / questions.length;
    }
    return sums;
  }
});

const VECTORS = 24_000;
const FILES = 1_000;
const SHARES = [1, 5, 20, 100, 250, 500];
const DIMENSIONS = 384;
const QUESTIONS = 30;
const TOPICS = 60;

/** Of the nearest ten. */
function recallOf(found: readonly Ranked[], exact: readonly Ranked[]): number {
  const ids = new Set(found.map(({ id }) => id));
  const nearest = exact.slice(0, 10);
  return nearest.filter(({ id }) => ids.has(id)).length / nearest.length;
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now();
  const result = await work();
  return [result, performance.now() - startedAt];
}

/** Topics of uneven size, files near their topic, passages near their file; some directions matter more than others. */
async function topicalVectors(random: Random) {
  const near = (centre: readonly number[], distance: number) =>
    centre.map((at, direction) => at + distance * gauss(random) * (direction + 1) ** -0.4);
  const nowhere = Array.from({ length: DIMENSIONS }, () => 0);
  const middle = near(nowhere, 0.6);
  const topics = Array.from({ length: TOPICS }, () => near(middle, 1));
  const files = Array.from({ length: FILES }, () => near(topics[Math.floor(TOPICS * random.next() ** 2)] ?? [], 0.7));
  return {
    vectors: Array.from({ length: VECTORS }, (_, n) => near(files[n % FILES] ?? [], 0.9)),
    questions: Array.from({ length: QUESTIONS }, () => near(random.pick(files), 1.1)),
  };
}

function gauss(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

async function proseVectors(random: Random) {
  const text = proseOf(10_000_000, 5);
  const passages = Array.from({ length: VECTORS }, (_, n) => text.slice(n * 400, n * 400 + 930));
  const asked = Array.from({ length: QUESTIONS }, () => {
    const words = random.pick(passages).split(/\s+/).slice(1, 30);
    return [random.pick(words), random.pick(words), random.pick(words)].join(' ');
  });
  return { vectors: await embedded(passages), questions: await embedded(asked) };
}

async function embedded(input: readonly string[]): Promise<number[][]> {
  const { data } = await embed({ model: 'builtin-hash-embedding', input: [...input] }, new AbortController().signal);
  return (data as { embedding: number[] }[]).map(({ embedding }) => embedding);
}
