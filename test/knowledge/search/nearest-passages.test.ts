import { beforeAll, expect, it } from '@jest/globals';
import { PassageQueries } from '../../../src/knowledge/search/passage-queries.js';
import { Random } from '../../crash/random.js';
import { createBaseOfVectors } from '../../support/builders/base-of-vectors.js';
import type { BaseOfVectors } from '../../support/builders/base-of-vectors.js';
import { recordStatements } from '../../support/probes/recorded-statements.js';
import { onEmbedded, onVectors } from '../../support/servers/services.js';
import { usePlatform } from '../../support/servers/use-servers.js';

onVectors.describe('the passages that are nearest in a base with an index of its vectors', () => {
  it.each([
    ['of the whole base', undefined, 20],
    ['of one file', { n: 7 }, 10],
    ['of a tenth of the files', { tenth: 3 }, 20],
    ['of no file', { n: -1 }, 0],
  ])('are as many as there are: %s', async (_, filter, count) => {
    for (let asked = 0; asked < 10; asked += 1) {
      const wanted = { vector: vectors()(), limit: 20 };

      const found = await queries().nearest(base.scope(filter), [base.index], wanted);

      expect(found).toHaveLength(count);
      expect(found).toEqual(await queries().byVector(base.scope(filter), [base.index.id], wanted));
    }
  });

  it('are none of a vector of zeros, which has no direction', async () => {
    const vector = vectors()().map(() => 0);

    expect(await queries().nearest(base.scope(), [base.index], { vector, limit: 20 })).toEqual([]);
  });

  it('are compared with all that may be read where these are few, and looked up in the index where they are many', async () => {
    const wanted = { vector: vectors()(), limit: 20 };
    const few = await statementsOf((recorded) => recorded.nearest(base.scope({ tenth: 3 }), [base.index], wanted));
    await server.query('UPDATE knowledge_files SET chunk_count = 2000 WHERE metadata @> \'{"tenth": 3}\'');

    const many = await statementsOf((recorded) => recorded.nearest(base.scope({ tenth: 3 }), [base.index], wanted));

    await server.query('UPDATE knowledge_files SET chunk_count = 10');
    expect(few.filter((text) => text.includes('hnsw'))).toEqual([]);
    expect(many.filter((text) => text.includes('hnsw'))).toHaveLength(1);
  });

  onEmbedded.it('are compared where the index has given up before it found enough', async () => {
    const wanted = { vector: vectors()(), limit: 20 };
    await server.query('UPDATE knowledge_files SET chunk_count = 3000 WHERE metadata @> \'{"tenth": 3}\'');
    await server.query('SET hnsw.max_scan_tuples = 1');
    // Far from all that the index meets before it gives up.
    const scope = base.scope({ tenth: 3, n: 13 });
    await server.query('UPDATE knowledge_files SET chunk_count = 30000 WHERE metadata @> \'{"n": 13}\'');

    const [few, found] = [
      await queries().byVectorIndex(scope, base.index, wanted),
      await queries().nearest(scope, [base.index], wanted),
    ];

    await server.query('RESET hnsw.max_scan_tuples');
    await server.query('UPDATE knowledge_files SET chunk_count = 10');
    expect(few.length).toBeLessThan(10);
    expect(found).toEqual(await queries().byVector(scope, [base.index.id], wanted));
    expect(found).toHaveLength(10);
  });

  const server = usePlatform();
  let base: BaseOfVectors;
  beforeAll(async () => {
    const random = vectors(7);
    const files = Array.from({ length: 300 }, (_, n) => ({ tenth: n % 10 }));
    base = await createBaseOfVectors(server, files, Array.from({ length: 3_000 }, random));
  });

  function queries(): PassageQueries {
    return new PassageQueries(server.app.database.dataSource);
  }

  /** What the database is asked. */
  async function statementsOf(work: (recorded: PassageQueries) => Promise<unknown>): Promise<readonly string[]> {
    const { dataSource, texts } = recordStatements(server.app.database.dataSource);
    await work(new PassageQueries(dataSource));
    return texts;
  }
});

/** Random vectors. */
function vectors(seed = 11): () => number[] {
  const random = new Random(seed);
  return () => Array.from({ length: 24 }, () => random.next() - 0.5);
}
