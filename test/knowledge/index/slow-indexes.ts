import pg from 'pg';
import type { IndexDefinition } from '../../../src/knowledge/index/index-builder.js';
import { BuildGate } from '../../support/servers/build-gate.js';
import { eventually } from '../../support/probes/eventually.js';
import { newId } from '../../../src/platform/ids.js';

const ROWS = 200;
const GATE = 7_301;
const MAKE = [
  'CREATE SEQUENCE memory_of_build MINVALUE 0',
  // What a build evaluates for the rows that were there before waits at the gate.
  `CREATE FUNCTION slow(value text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
     IF value LIKE 'old%' THEN
       PERFORM setval('public.memory_of_build', pg_size_bytes(current_setting('maintenance_work_mem')));
       PERFORM pg_advisory_xact_lock_shared(${GATE});
     END IF;
     RETURN value;
   END $$`,
  `CREATE FUNCTION needs_shared_memory(value text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
     IF current_setting('max_parallel_maintenance_workers') <> '0' THEN
       RAISE 'could not resize shared memory segment' USING ERRCODE = 'disk_full';
     END IF;
     RETURN value;
   END $$`,
  `CREATE FUNCTION needs_a_larger_disk(value text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
     RAISE 'could not extend file' USING ERRCODE = 'disk_full';
   END $$`,
  // The access method of pgvector, as far as statements name it, on a server without pgvector.
  "CREATE FUNCTION slow_hash(text) RETURNS integer IMMUTABLE LANGUAGE sql AS 'SELECT hashtext(public.slow($1))'",
  'CREATE ACCESS METHOD hnsw TYPE INDEX HANDLER hashhandler',
  'CREATE OPERATOR CLASS vector_cosine_ops FOR TYPE text USING hnsw AS OPERATOR 1 =, FUNCTION 1 slow_hash(text)',
];
const ADD_INDEX = `
  INSERT INTO knowledge_indexes (id, base_id, model, dimensions, is_approximate, state, created_at)
  VALUES ($1, $1, 'model', 3, false, 'active', now())`;
/** Before these phases the index is not there yet. */
const PROGRESS = `
  SELECT FROM pg_stat_progress_create_index WHERE relid = to_regclass($1) AND phase LIKE 'building index%'`;
const BUILT = 'SELECT to_regclass($1)::oid AS id, indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)';

/** Tables in the form of those of vectors, whose indexes are built for as long as a test wants. */
export class SlowIndexes extends BuildGate {
  static async start(url: string): Promise<SlowIndexes> {
    // The indexes have no bases.
    const options = { url, key: GATE, make: ['SET session_replication_role = replica', ...MAKE] };
    return new SlowIndexes(options, await BuildGate.connect(options));
  }

  /** Makes a table with rows; its index is one of an expression, which all other builds wait for. */
  async table(id: string = newId('kix')): Promise<IndexDefinition> {
    const table = `knowledge_vectors_${id}`;
    await this.query(
      `CREATE TABLE ${table} (chunk_id text PRIMARY KEY, file_id text NOT NULL, embedding text NOT NULL)`,
    );
    await this.query(`INSERT INTO ${table} SELECT 'old' || n, 'file', 'old' || n FROM generate_series(1, ${ROWS}) n`);
    await this.query(ADD_INDEX, [id]);
    return { name: `${table}_hnsw`, table, columns: 'USING btree (slow(embedding))' };
  }

  /** Takes the index of a table out of use. */
  async retire({ table }: IndexDefinition): Promise<void> {
    const sql = "UPDATE knowledge_indexes SET state = 'retired' WHERE $1 = 'knowledge_vectors_' || id";
    await this.query(sql, [table]);
  }

  /** Whether there is the table of an index. */
  async has({ table }: IndexDefinition): Promise<boolean> {
    const [row] = await this.query<{ isThere: boolean }>('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [table]);
    return row?.isThere === true;
  }

  /** Waits until PostgreSQL builds an index of a table. @returns its object id, which another build would change */
  async building({ table, name }: IndexDefinition): Promise<unknown> {
    await eventually('the index is being built', 20, async () => (await this.query(PROGRESS, [table])).length > 0);
    return (await this.built({ name }))?.id;
  }

  /** The index, where there is one. */
  async built({ name }: Pick<IndexDefinition, 'name'>): Promise<{ id: unknown; valid: boolean } | undefined> {
    return (await this.query<{ id: unknown; valid: boolean }>(BUILT, [name]))[0];
  }

  /**
   * Reads, writes and deletes on until the returned function is called. No statement may wait for a lock for a second.
   * @returns what ends that, and answers what has failed, and how many statements have not
   */
  work(tables: readonly string[]): () => Promise<{ errors: unknown[]; done: number }> {
    let [isOver, done] = [false, 0];
    const errors: unknown[] = [];
    const worker = async (worker: number): Promise<void> => {
      const client = new pg.Client({ connectionString: this.options.url });
      await client.connect();
      await client.query("SET lock_timeout = '1s'");
      for (let at = 0; !isOver; at += 1) {
        const table = tables[at % tables.length];
        try {
          await client.query('BEGIN');
          await client.query(`INSERT INTO ${table} VALUES ($1, 'new', $1)`, [`new${worker}.${at}`]);
          await client.query(`SELECT count(*) FROM ${table} WHERE file_id = 'new'`);
          await client.query(`DELETE FROM ${table} WHERE chunk_id = $1`, [`new${worker}.${at - 5}`]);
          await client.query('COMMIT');
          done += 1;
        } catch (error) {
          errors.push(error);
          await client.query('ROLLBACK');
        }
      }
      await client.end();
    };
    const workers = [1, 2].map(worker);
    return async () => {
      isOver = true;
      await Promise.all(workers);
      return { errors, done };
    };
  }

  async deadlocks(): Promise<number> {
    const sql = 'SELECT deadlocks::integer AS count FROM pg_stat_database WHERE datname = current_database()';
    return (await this.query<{ count: number }>(sql))[0]?.count ?? Number.NaN;
  }
}
