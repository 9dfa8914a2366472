import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Resealer } from '../../../src/platform/crypto/resealer.js';
import type { SealedCounts } from '../../../src/platform/crypto/resealer.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import type { SealedColumn } from '../../../src/platform/crypto/sealed-column.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';

const BYTES: SealedColumn = { table: 'things', key: 'id', column: 'sealed', purpose: 'thing', context: 'key' };

describe('sealing anew', () => {
  let opened: OpenTestDatabase;

  beforeEach(async () => {
    opened = await openTestDatabase();
    await query('CREATE TABLE things (id text PRIMARY KEY, sealed bytea, data jsonb, revision integer DEFAULT 1)');
  });
  afterEach(() => opened.close());

  it('goes through every row, whatever it lies in, and touches nothing else', async () => {
    for (let number = 0; number < 250; number += 1) await add(`row ${number}`, before);
    await query("INSERT INTO things (id) VALUES ('nothing is sealed here')");

    const counts = await reseal([BYTES, JSON_TEXT, { ...BYTES, table: 'no_such_schema.things' }]);

    expect(counts.map(({ values, resealed, stale }) => [values, resealed, stale])).toEqual([
      [0, 0, 0],
      [250, 250, 0],
      [250, 250, 0],
    ]);
    const rows = await query<Row>("SELECT * FROM things WHERE sealed IS NOT NULL AND data->>'other' = 'kept'");
    expect(rows).toHaveLength(250);
    for (const { id, sealed, data, revision } of rows) {
      expect(after.unseal('thing', sealed, id).toString()).toBe(id);
      expect(after.unseal('text', Buffer.from(data.payload.sealed, 'base64')).toString()).toBe(id);
      expect(revision).toBe(1);
    }
  });

  it('leaves alone what is sealed with the new key, however often it is done', async () => {
    await add('row', before);

    await reseal([BYTES]);
    const [first] = await query<Row>('SELECT * FROM things');
    const again = await reseal([BYTES]);

    expect(again).toEqual([{ column: BYTES, values: 1, resealed: 0, stale: 0, unopened: [] }]);
    expect(await query('SELECT * FROM things')).toEqual([first]);
  });

  it('names what neither key opens, and does the rest', async () => {
    await add('foreign', new SecretBox(randomBytes(32)));
    await add('row', before);

    const [counts] = await reseal([BYTES]);

    expect(counts).toMatchObject({ values: 2, resealed: 1, stale: 0, unopened: ['foreign'] });
  });

  it('takes nothing back that somebody writes meanwhile, and looks at it again', async () => {
    await add('row', before);
    const newest = before.seal('thing', Buffer.from('newest'), 'row');
    const { dataSource } = opened.database;
    let isFirst = true;
    const racing = {
      async query(sql: string, values: unknown[]) {
        if (isFirst && sql.startsWith('UPDATE')) {
          isFirst = false;
          await dataSource.query('UPDATE things SET sealed = $1', [newest]);
        }
        return dataSource.query(sql, values);
      },
    };

    const [counts] = await reseal([BYTES], racing as unknown as typeof dataSource);

    const [row] = await query<Row>('SELECT * FROM things');
    expect(counts).toMatchObject({ values: 1, resealed: 1, stale: 0 });
    expect(after.unseal('thing', row?.sealed as Buffer, 'row').toString()).toBe('newest');
  });

  it('gives up, and says so, where somebody goes on sealing with the previous key', async () => {
    await add('row', before);
    await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`);
    await query('CREATE TRIGGER refuse BEFORE UPDATE ON things FOR EACH ROW EXECUTE FUNCTION refuse()');

    const [counts] = await reseal([BYTES]);

    expect(counts).toMatchObject({ values: 1, resealed: 0, stale: 1 });
  });

  function query<T>(sql: string, values: unknown[] = []): Promise<T[]> {
    return opened.database.dataSource.query(sql, values);
  }

  async function add(id: string, box: SecretBox): Promise<void> {
    const sealed = box.seal('text', Buffer.from(id)).toString('base64');
    const data = { payload: { sealed, owner: 'kept' }, other: 'kept' };
    const values = [id, box.seal('thing', Buffer.from(id), id), JSON.stringify(data)];
    await query('INSERT INTO things VALUES ($1, $2, $3)', values);
  }

  async function reseal(columns: readonly SealedColumn[], dataSource = opened.database.dataSource) {
    const counts: SealedCounts[] = [];
    for await (const count of new Resealer({ dataSource, secretBox: during, columns }).reseal()) counts.push(count);
    return counts;
  }
});

const JSON_TEXT: SealedColumn = {
  ...BYTES,
  column: 'data',
  purpose: 'text',
  context: 'none',
  path: ['payload', 'sealed'],
  where: 'revision = 1',
};

const [older, newer] = [randomBytes(32), randomBytes(32)];
const before = new SecretBox(older);
const during = new SecretBox(newer, { previous: older });
const after = new SecretBox(newer);

interface Row {
  readonly id: string;
  readonly sealed: Buffer;
  readonly data: { readonly payload: { readonly sealed: string } };
  readonly revision: number;
}
