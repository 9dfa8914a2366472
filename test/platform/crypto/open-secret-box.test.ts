import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSecretBox } from '../../../src/platform/crypto/open-secret-box.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const COLUMN = { table: 'things', key: 'id', column: 'sealed', purpose: 'thing', context: 'key' } as const;

describe('the secret box of an installation', () => {
  let opened: OpenTestDatabase;

  beforeEach(async () => {
    opened = await openTestDatabase();
    await opened.database.dataSource.query('CREATE TABLE things (id text PRIMARY KEY, sealed bytea)');
  });
  afterEach(() => opened.close());

  it('makes the same codes in every process, whichever of two keys is the secret key of each', async () => {
    const together = await Promise.all([open(OLD), open(OLD), open(OLD)]);
    const others = [await open(NEW, OLD), await open(OLD, NEW)];

    const codes = [...together, ...others].map((box) => box.mac('claims', 'x').toString('hex'));
    expect(new Set(codes).size).toBe(1);
    expect(codes[0]).not.toBe(new SecretBox(OLD).mac('claims', 'x').toString('hex'));
  });

  it('is refused with another key', async () => {
    await open(OLD);

    await expect(open(NEW)).rejects.toThrow('SECRET_KEY: is not the one that this database was set up with');
  });

  it('stores no key under a wrong secret key where an earlier version has sealed things already', async () => {
    const sealed = new SecretBox(OLD).seal('thing', Buffer.from('text'), 'row');
    await opened.database.dataSource.query("INSERT INTO things VALUES ('row', $1)", [sealed]);

    await expect(open(NEW)).rejects.toThrow('is not the one');
    await expect(open(OLD)).resolves.toBeInstanceOf(SecretBox);
  });

  function open(secretKey: Buffer, secretKeyPrevious?: Buffer): Promise<SecretBox> {
    return openSecretBox({ secretKey, secretKeyPrevious, dataDir: '' }, opened.database.dataSource, [COLUMN]);
  }
});
