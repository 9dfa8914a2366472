import { describe, expect, it } from '@jest/globals';
import {
  databaseErrorCode,
  isDatabaseUnavailable,
  isForeignKeyViolation,
  isUniqueViolation,
  isUnstorableText,
  isWorthRepeating,
} from '../../../src/platform/database/postgres-errors.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('an error of the database', () => {
  const platform = usePlatform();

  const POLICY = 'INSERT INTO model_policies (tenant_id, allow, deny, updated_at) VALUES ';

  it.each([
    ['a second row of a key', `INSERT INTO users SELECT * FROM users`, '23505', isUniqueViolation],
    ['a row of nobody', `${POLICY} ('ten_x', '{}', '{}', now())`, '23503', isForeignKeyViolation],
    ['a text that cannot be stored', "SELECT convert_from('\\xff', 'UTF8')", '22021', isUnstorableText],
    ['a deadlock', "DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$", '40P01', isWorthRepeating],
    ['a server that stops', "DO $$ BEGIN RAISE SQLSTATE '57P01'; END $$", '57P01', isDatabaseUnavailable],
  ])('is told apart: %s', async (_name, sql, code, matching) => {
    const error = await platform.app.database.dataSource.query(sql).catch((thrown: unknown) => thrown);

    const tests = [isUniqueViolation, isForeignKeyViolation, isUnstorableText, isWorthRepeating, isDatabaseUnavailable];
    expect(databaseErrorCode(error)).toBe(code);
    expect(tests.filter((test) => test(error))).toEqual([matching]);
  });

  it.each([undefined, null, 'text', new Error('other'), { code: 7 }])('is not %p', (thrown) => {
    expect(databaseErrorCode(thrown)).toBe('');
    expect(isDatabaseUnavailable(thrown)).toBe(false);
  });
});
