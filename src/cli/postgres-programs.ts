import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, runProgram } from './command.js';

/** Where Debian keeps the programs of each version. */
const VERSIONS = '/usr/lib/postgresql';

/**
 * Runs a program of PostgreSQL against a database. The newest that is installed: it reads every older server.
 * @throws CommandError
 */
export async function runPostgresProgram(name: string, databaseUrl: string, args: readonly string[]): Promise<string> {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(VERSIONS, version, 'bin', name)).find((path) => existsSync(path));
  return runProgram(found ?? name, args, environmentOf(databaseUrl));
}

/** The address as variables: a password on a command line could be read by everybody on the machine. */
function environmentOf(databaseUrl: string): Record<string, string> {
  if (!URL.canParse(databaseUrl)) throw new CommandError('DATABASE_URL is not a URL.');
  const { hostname, port, username, password, pathname, searchParams } = new URL(databaseUrl);
  const given = {
    PGHOST: searchParams.get('host') ?? hostname.replace(/^\[|\]$/g, ''),
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGSSLMODE: searchParams.get('sslmode') ?? '',
    PGSSLROOTCERT: searchParams.get('sslrootcert') ?? '',
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
}
