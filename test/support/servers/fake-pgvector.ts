import { BuildGate } from './build-gate.js';

/** Held by a test as long as no build of an index may end. */
const GATE = 7_302;
/**
 * What statements name of pgvector, on a server without it: a type that is a `bytea`, a distance that knows equality alone,
 * and an access method that is that of hash indexes.
 */
const MAKE = [
  'CREATE TYPE vector',
  ...Object.entries({
    vector_in: ['cstring', 'vector', 'byteain'],
    vector_out: ['vector', 'cstring', 'byteaout'],
    vector_recv: ['internal', 'vector', 'bytearecv'],
    vector_send: ['vector', 'bytea', 'byteasend'],
    vector_typmod_in: ['cstring[]', 'integer', 'varchartypmodin'],
    vector_typmod_out: ['integer', 'cstring', 'varchartypmodout'],
  }).map(
    ([name, [takes, gives, as]]) =>
      `CREATE FUNCTION ${name}(${takes}) RETURNS ${gives} LANGUAGE internal IMMUTABLE STRICT AS '${as}'`,
  ),
  `CREATE TYPE vector (INPUT = vector_in, OUTPUT = vector_out, RECEIVE = vector_recv, SEND = vector_send,
     TYPMOD_IN = vector_typmod_in, TYPMOD_OUT = vector_typmod_out, LIKE = bytea)`,
  'CREATE CAST (vector AS bytea) WITHOUT FUNCTION',
  `CREATE FUNCTION distance(vector, vector) RETURNS float8 IMMUTABLE LANGUAGE sql AS
     'SELECT CASE WHEN $1::bytea = $2::bytea THEN 0 ELSE 0.5 END::float8'`,
  'CREATE OPERATOR <=> (LEFTARG = vector, RIGHTARG = vector, FUNCTION = distance)',
  `CREATE FUNCTION is_same(vector, vector) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT $1::bytea = $2::bytea'`,
  'CREATE OPERATOR = (LEFTARG = vector, RIGHTARG = vector, FUNCTION = is_same)',
  `CREATE FUNCTION slow_hash(vector) RETURNS integer IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
     PERFORM pg_advisory_xact_lock_shared(${GATE});
     RETURN 1;
   END $$`,
  'CREATE ACCESS METHOD hnsw TYPE INDEX HANDLER hashhandler',
  'CREATE OPERATOR CLASS vector_cosine_ops FOR TYPE vector USING hnsw AS OPERATOR 1 =, FUNCTION 1 slow_hash(vector)',
  `INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
   VALUES (16000, 'vector', 10, 'public'::regnamespace, true, '0.8.0')`,
];

/** A PostgreSQL that seems to have pgvector, and whose builds of HNSW indexes last as long as a test wants. */
export class FakePgvector extends BuildGate {
  static async install(url: string): Promise<FakePgvector> {
    const options = { url, key: GATE, make: MAKE };
    return new FakePgvector(options, await BuildGate.connect(options));
  }
}
