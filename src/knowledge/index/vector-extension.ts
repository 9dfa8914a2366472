import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { isDuplicateObject } from '../../platform/database/postgres-errors.js';
import type { CheckState } from '../../platform/telemetry/health.js';

const INSTALL = 'CREATE EXTENSION IF NOT EXISTS vector';
const OLD = 'pgvector is older than 0.8: large knowledge bases are searched without an index, which takes longer';
const UPDATE =
  'Install pgvector 0.8 or later on the machine of the database, then run as a superuser: ALTER EXTENSION vector UPDATE; and restart the server.';
const FIND = `
  SELECT e.extversion AS version, n.nspname AS schema, n.nspname = ANY (current_schemas(true)) AS "isOnPath",
    string_to_array(regexp_replace(e.extversion, '[^0-9.].*', ''), '.')::integer[] >= ARRAY[0, 8] AS "hasIterativeScans"
  FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`;
const SURROUNDINGS = `
  SELECT current_database() AS database, current_user AS "user", current_setting('search_path') AS path,
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') AS "isInstalled"`;

interface InstalledExtension {
  readonly version: string;
  readonly schema: string;
  readonly isOnPath: boolean;
  readonly hasIterativeScans: boolean;
}

interface Surroundings {
  readonly database: string;
  readonly user: string;
  readonly path: string;
  /** Whether the machine of the database has the files of pgvector. */
  readonly isInstalled: boolean;
}

/** The extension pgvector of the database. It is looked for at the start; without it knowledge bases work by keywords. */
export class VectorExtension {
  private constructor(
    readonly isThere: boolean,
    /** Whether a scan of an HNSW index goes on until it has found enough that a filter lets through (pgvector 0.8). */
    readonly hasIterativeScans: boolean,
  ) {}

  /** Creates the extension where the database's user may do so, and says in the log what is missing otherwise. */
  static async open(dataSource: DataSource, log: Logger): Promise<VectorExtension> {
    const reason = await create(dataSource);
    const [found] = await dataSource.query<InstalledExtension[]>(FIND);
    if (found?.isOnPath) {
      if (!found.hasIterativeScans) log.warn({ version: found.version, fix: UPDATE }, OLD);
      return new VectorExtension(true, found.hasIterativeScans);
    }
    const [surroundings] = await dataSource.query<Surroundings[]>(SURROUNDINGS);
    log.warn(
      { reason, fix: fixOf(found, surroundings as Surroundings) },
      'vector search is off: knowledge bases are searched by keywords until the extension vector (pgvector) is usable and the server is restarted',
    );
    return new VectorExtension(false, false);
  }

  /**
   * `off` where there are no vectors, `degraded` while passages lack theirs.
   * @param basesWithout knowledge bases with such passages
   */
  check(basesWithout: number): CheckState {
    if (!this.isThere) return 'off';
    return basesWithout > 0 ? 'degraded' : 'ok';
  }
}

/** @returns why it could not be created; undefined where it is there */
async function create(dataSource: DataSource): Promise<string | undefined> {
  try {
    await dataSource.query(INSTALL);
    return undefined;
  } catch (error) {
    return isDuplicateObject(error) ? undefined : (error as Error).message;
  }
}

/** What an operator has to do so that the extension can be used. */
function fixOf(found: InstalledExtension | undefined, { database, user, path, isInstalled }: Surroundings): string {
  if (found) {
    const schema = quoted(found.schema);
    return (
      `pgvector is in the schema ${found.schema}, which is not in the search path. As a superuser run: ` +
      `GRANT USAGE ON SCHEMA ${schema} TO ${quoted(user)}; ` +
      `ALTER ROLE ${quoted(user)} IN DATABASE ${quoted(database)} SET search_path = ${path}, ${schema};`
    );
  }
  if (isInstalled) {
    return `pgvector is not a trusted extension. As a superuser, in the database ${database}, run: CREATE EXTENSION vector;`;
  }
  return 'Install pgvector on the machine of the database (postgresql-NN-pgvector), or choose a provider that has it.';
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
