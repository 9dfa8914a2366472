import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInUser, addStaffedTenant } from '../support/builders/accounts.js';
import type { SignedInUser } from '../support/builders/accounts.js';
import { eventually } from '../support/probes/eventually.js';
import { folderContents } from '../support/probes/folder-contents.js';
import { countVectorsOfFile, vectorTables } from '../support/probes/stored-vectors.js';
import { KnowledgeProbe } from '../support/builders/knowledge.js';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';
import { newServiceKey } from '../support/servers/service-key.js';

const service = newServiceKey();

describe('what is deleted', () => {
  let [platform, admin]: [Platform, string] = [] as never;
  beforeAll(async () => {
    platform = await startPlatform(service.env);
    admin = (await platform.login()).access_token;
  });
  afterAll(() => platform.close());

  it('leaves no byte of a file, no passage and no job: a file', async () => {
    const { base, word } = await baseOf(await addSignedInUser(platform));
    const [file] = (await base.request('GET', '/files')).body.data;

    const answer = await base.request('DELETE', `/files/${file.id}`);
    const found = await base.query(word, { mode: 'keyword' });

    expect([answer.status, found]).toEqual([204, []]);
    expect((await base.request('GET')).body).toMatchObject({ file_count: 0, size_bytes: 0 });
    await nothingIsLeft([word, file.id]);
  });

  it('leaves no byte of a file, no passage and no job: a knowledge base', async () => {
    const { base, word } = await baseOf(await addSignedInUser(platform));

    await base.request('DELETE');
    const query = await base.request('POST', '/query', { query: word });

    expect(query.status).toBe(404);
    await nothingIsLeft([word, base.id]);
  });

  it('leaves no byte of a file, no passage and no job: a user, whose files in the bases of others go with it', async () => {
    const tenant = await addStaffedTenant(platform);
    const shared = await KnowledgeProbe.create(platform, tenant.user.token, { is_private: false });
    await shared.index({ 'kept.txt': 'Giraffes are kept.' });
    const { base, word } = await baseOf(tenant.admin);
    await shared.as(tenant.admin.token).index({ 'gone.txt': `${word} was here, too.` });

    await platform.request('DELETE', `/v1/auth/users/${tenant.admin.id}`, { token: service.key });
    await nothingIsLeft([word, base.id, tenant.admin.id]);

    const found = await shared.query('giraffes', { mode: 'keyword' });
    expect(found.map(({ filename }) => filename)).toEqual(['kept.txt']);
    expect((await shared.request('GET')).body).toMatchObject({ file_count: 1, size_bytes: 18 });
  });

  it('leaves no byte of a file, no passage and no job: a tenant', async () => {
    const tenant = await addStaffedTenant(platform);
    const { base, word } = await baseOf(tenant.user);

    const answer = await platform.request('DELETE', `/v1/admin/tenants/${tenant.id}`, { token: admin });

    expect(answer.status).toBe(204);
    await nothingIsLeft([word, base.id]);
    expect(await platform.query('SELECT FROM storage_usage WHERE subject = $1', [tenant.id])).toEqual([]);
  });

  /** A base with a file that has a word of its own. */
  async function baseOf({ id, token }: SignedInUser): Promise<{ base: KnowledgeProbe; word: string }> {
    const word = `zebra${id.slice(-12)}`;
    const base = await KnowledgeProbe.create(platform, token);
    await base.index({ [`${word}.txt`]: `${word} is a word of its own.` }, { note: word });
    return { base, word };
  }

  /**
   * Waits until no row of any table but those of the audit log has one of the words, and no stored byte. What jobs that
   * are over were given is forgotten within a minute.
   */
  async function nothingIsLeft(words: readonly string[]): Promise<void> {
    await eventually('it is gone', 20, async () => (await rowsWith(words)).length === 0);
    // Those of the base with its files alone: the table of another has its index.
    await eventually('its vectors are gone', 20, async () => (await tablesWithoutIndex()).length === 0);
    for (const word of words) expect(await countVectorsOfFile(platform, word)).toBe(0);
    const blobs = join(platform.config.dataDir, 'blobs');
    await eventually('its bytes are gone', 30, () => !words.some((word) => folderContents(blobs).includes(word)));
    expect(readdirSync(platform.config.dataDir)).toContain('blobs');
  }

  async function tablesWithoutIndex(): Promise<string[]> {
    const indexes = await platform.query<{ id: string }>("SELECT id FROM knowledge_indexes WHERE state <> 'retired'");
    return (await vectorTables(platform)).filter((table) => !indexes.some(({ id }) => table.endsWith(id)));
  }

  async function rowsWith(words: readonly string[]): Promise<unknown[]> {
    const tables = await platform.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname IN ('public', 'jobs') AND tablename NOT LIKE 'audit\\_%' AND tablename <> 'revocations'
         AND tablename NOT LIKE 'knowledge\\_vectors\\_%'`,
    );
    const found = await Promise.all(
      tables.map(({ name }) =>
        platform.query(
          `SELECT '${name}' AS name FROM ${name} t WHERE t::text ILIKE ANY ($1) AND (to_jsonb(t)->>'state' IS DISTINCT FROM 'completed')`,
          [words.map((word) => `%${word}%`)],
        ),
      ),
    );
    return found.flat();
  }
});
