import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

const root = join(import.meta.dirname, '../../..');

/** The migrations and the database engine that a template was made with; another hash needs another template. */
const templateHash = hashOf([
  ...globSync('src/**/migrations/*.ts', { cwd: root }).sort(),
  'src/knowledge/index/vector-extension.ts',
  'node_modules/@electric-sql/pglite/package.json',
  'node_modules/pg-boss/package.json',
]);

/** The migrated data folder that each embedded test database is a copy of. */
export const templateFolder: string = join(root, 'node_modules/.cache/test-databases', templateHash);

/** The migrated database on the test server that each test database is a clone of. */
export const templateName: string = `platform_template_${templateHash}`;

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

/** The address of another database on the same server. */
export function withDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs one statement outside of every test database. */
export async function onServer(serverUrl: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

/** Makes the template if there is none. It appears under its name when it is whole, so runs at the same time are fine. */
export async function makeTemplate(serverUrl = process.env.TEST_DATABASE_URL): Promise<void> {
  await (serverUrl ? makeTemplateDatabase(serverUrl) : makeTemplateFolder());
}

async function makeTemplateFolder(): Promise<void> {
  if (existsSync(templateFolder)) return;
  const draft = `${templateFolder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  await migrate({ DATA_DIR: draft });
  await rename(draft, templateFolder).catch(() => rm(draft, { recursive: true }));
}

async function makeTemplateDatabase(serverUrl: string): Promise<void> {
  const exists = () => onServer(serverUrl, `SELECT FROM pg_database WHERE datname = '${templateName}'`);
  if ((await exists()).rowCount) return;
  const draft = `${templateName}_${process.pid}`;
  await onServer(serverUrl, `CREATE DATABASE ${draft}`);
  await migrate({ DATABASE_URL: withDatabase(serverUrl, draft), SECRET_KEY: '0'.repeat(64) });
  await onServer(serverUrl, `ALTER DATABASE ${draft} RENAME TO ${templateName}`).catch(() =>
    onServer(serverUrl, `DROP DATABASE ${draft}`),
  );
}

async function migrate(env: NodeJS.ProcessEnv): Promise<void> {
  // The whole application, for which nobody should wait where the template is there.
  const { migrateTemplate } = await import('./migrated-template.js');
  await migrateTemplate(env);
}
