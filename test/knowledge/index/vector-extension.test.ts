import { afterEach, beforeEach, describe, expect } from '@jest/globals';
import { VectorExtension } from '../../../src/knowledge/index/vector-extension.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';
import { onEmbedded, onPostgres, SEARCH_MODES } from '../../support/servers/services.js';

describe('the extension for vectors', () => {
  let opened: OpenTestDatabase;
  let fixes: string[];
  beforeEach(async () => {
    opened = await openTestDatabase();
    fixes = [];
  });
  afterEach(() => opened.close());

  onEmbedded.it('is there', async () => {
    const extension = await open();

    expect(extension).toMatchObject({ isThere: true, hasIterativeScans: true });
    expect([extension.check(0), extension.check(1)]).toEqual(['ok', 'degraded']);
    expect(fixes).toEqual([]);
  });

  onEmbedded.it('builds no index where it is too old, and the log says so', async () => {
    const setVersion = (version?: string) =>
      opened.database.dataSource.query("UPDATE pg_extension SET extversion = $1 WHERE extname = 'vector'", [version]);
    const [before] = await query<{ version: string }>(
      "SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'",
    );
    await setVersion('0.7.4');

    const extension = await open();
    await setVersion(before?.version);

    expect(extension).toMatchObject({ isThere: true, hasIterativeScans: false });
    expect(fixes).toEqual([expect.stringContaining('ALTER EXTENSION vector UPDATE;')]);
  });

  onEmbedded.it(
    'cannot be used outside of the search path, and the statement that the log names mends that',
    async () => {
      await query('CREATE SCHEMA "more extensions"');
      await query('ALTER EXTENSION vector SET SCHEMA "more extensions"');

      const hidden = await open();
      const [statement = ''] = /ALTER ROLE .*$/.exec(fixes[0] ?? '') ?? [];
      await query(statement);
      const [role] = await query<{ config: string[] }>('SELECT setconfig AS config FROM pg_db_role_setting');
      await query(`SET ${role?.config[0]}`);

      expect([hidden.isThere, hidden.check(0)]).toEqual([false, 'off']);
      expect(fixes[0]).toContain('GRANT USAGE ON SCHEMA "more extensions" TO "postgres";');
      expect((await open()).isThere).toBe(true);
    },
  );

  onEmbedded.it('is created by a superuser alone, and the log has the statement', async () => {
    await query('DROP EXTENSION vector CASCADE');
    await query('CREATE ROLE plain');
    await query('GRANT ALL ON SCHEMA public TO plain');
    await query('SET ROLE plain');

    const denied = await open();
    await query('RESET ROLE');
    const [statement = ''] = /CREATE EXTENSION .*$/.exec(fixes[0] ?? '') ?? [];
    await query(statement);

    expect(denied.isThere).toBe(false);
    expect((await open()).isThere).toBe(true);
  });

  onPostgres.it('has to be installed where the server does not have it', async () => {
    const extension = await open();

    const isThere = SEARCH_MODES.includes('vector');
    expect(extension.isThere).toBe(isThere);
    expect(fixes).toEqual(isThere ? [] : [expect.stringContaining('Install pgvector')]);
  });

  function open(): Promise<VectorExtension> {
    const log = { warn: ({ fix }: { fix: string }) => void fixes.push(fix) };
    return VectorExtension.open(opened.database.dataSource, log as never);
  }

  function query<Row>(statement: string): Promise<Row[]> {
    return opened.database.dataSource.query(statement);
  }
});
