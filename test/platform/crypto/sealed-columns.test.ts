import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { schema } from '../../../src/domains.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';

const sealed = schema.sealed ?? [];

describe('what is sealed', () => {
  let opened: OpenTestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase();
  });
  afterAll(() => opened.close());

  it('is every column of bytes, but for those that say why they are not', async () => {
    const rows = await opened.database.dataSource.query<{ place: string }[]>(
      `SELECT table_name || '.' || column_name AS place FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'bytea'`,
    );

    const named = sealed.filter(({ path }) => !path).map(({ table, column }) => `${table}.${column}`);
    expect(rows.map(({ place }) => place).sort()).toEqual([...named, ...Object.keys(UNSEALED_BYTES)].sort());
  });

  it('has a row key and a column that there are', async () => {
    for (const { table, key, column, where } of sealed.filter(({ path }) => !path)) {
      const sql = `SELECT ${key}, ${column} FROM ${table} WHERE ${where ?? 'true'}`;
      expect(await opened.database.dataSource.query(sql)).toEqual([]);
    }
  });

  it('is sealed for a purpose that is named with the column, each for its own', () => {
    const used = globSync('src/**/*.ts').flatMap((file) => purposesOf(file, readFileSync(file, 'utf8')));

    expect(used.sort()).toEqual([...sealed.map(({ purpose }) => purpose), ...Object.keys(NOT_STORED)].sort());
  });
});

/** Columns of bytes that hold nothing that was sealed with the secret key, and why. */
const UNSEALED_BYTES = {
  'audit_chains.hash': 'a hash of what is in the database',
  'audit_chains.mac': 'a MAC, which a change of the secret key does not change',
  'audit_digests.mac': 'a MAC',
  'audit_digests.sum': 'a sum of hashes of MACs',
  'audit_entries.hash': 'a hash of what is in the database',
  'audit_entries.mac': 'a MAC',
  'audit_entries.previous_hash': 'the same of the entry before',
  'audit_entries.salts': 'random; an export has them',
  'audit_keys.mac': 'a MAC',
  'audit_records.mac': 'a MAC',
  'audit_records.salts': 'random; an export has them',
  'audit_refusals.mac': 'a MAC',
  'calls.sealed_answer': 'sealed with the credential of the caller, who alone can open it',
  'confirmation_codes.code_hash': 'a MAC, which a change of the secret key does not change',
  'confirmation_codes.network_hash': 'a MAC, too',
} as const;

/** Purposes for which something is sealed that no row keeps, and why. */
const NOT_STORED: Readonly<Record<string, string>> = {
  'blob-link': 'the address of a file, which nobody keeps',
  'speech-order': 'a text that waits in Redis for five minutes at most',
};

/** For what a file seals; its purposes are texts, or constants of the same file. */
function purposesOf(file: string, text: string): string[] {
  const calls = [...text.matchAll(/\b\w*[bB]ox\.seal\(\s*(?:'([^']+)'|(\w+))/g)];
  const purposes = calls.map(([, literal, name]) => {
    const purpose = literal ?? new RegExp(`const ${name} = '([^']+)'`).exec(text)?.[1];
    if (purpose === undefined) throw new Error(`${file} seals for a purpose that cannot be read there.`);
    return purpose;
  });
  return [...new Set(purposes)];
}
