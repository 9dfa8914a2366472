import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { HANDBOOK, KnowledgeProbe } from '../../support/builders/knowledge.js';
import { eventually } from '../../support/probes/eventually.js';
import { countVectorsOfFile, vectorTables } from '../../support/probes/stored-vectors.js';
import { onVectors } from '../../support/servers/services.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';

const QUESTION = 'How many days of holidays do I have?';
const COUNT = 'counting files of knowledge bases';
const COMPLETE = 'making vectors that passages lack';

onVectors.describe('passages that were written while the database had no vectors', () => {
  let [platform, token]: [Platform, string] = [] as never;
  let base: KnowledgeProbe;
  let fileId: unknown;
  beforeAll(begin);
  afterAll(() => platform.close());
  beforeEach(fill);

  it('get theirs when the base is given the same model', async () => {
    await moveExtension('public');
    const { embedding_model: model } = (await base.request('GET')).body;

    const patched = await base.request('PATCH', '', { embedding_model: model });
    await eventually('they are made', 20, async () => (await base.request('GET')).body.reindex_progress === null);

    expect(patched.body).toMatchObject({ embedding_model: model, reindex_progress: 0 });
    expect((await base.query(QUESTION, { mode: 'vector' }))[0]?.text).toContain('thirty days');
  });

  it('get theirs when it has them, and the health says how that goes', async () => {
    const refused = await base.request('POST', '/query', { query: QUESTION, mode: 'vector' });
    const checks = [await check()];
    await moveExtension('public');
    checks.push(await check());

    await platform.runTask(COMPLETE);
    await eventually('they are made', 20, async () => (await base.request('GET')).body.reindex_progress === null);
    await platform.runTask(COUNT);
    checks.push(await check());

    expect(refused.body.error.code).toBe('capability_not_supported');
    expect(checks).toEqual(['off', 'degraded', 'ok']);
    expect((await base.query(QUESTION, { mode: 'vector' }))[0]?.text).toContain('thirty days');
    expect(await countVectorsOfFile(platform, fileId)).toBe(2);
  });

  it('get theirs also where files came with vectors later, and once', async () => {
    await moveExtension('public');
    await base.index({ 'later.md': `${HANDBOOK}\nMore.` });
    const before = await countVectorsOfFile(platform, fileId);

    await Promise.all([platform.runTask(COMPLETE), platform.runTask(COMPLETE)]);
    const building = await platform.query("SELECT FROM knowledge_indexes WHERE state = 'building'");
    await eventually('they are made', 20, async () => (await base.request('GET')).body.reindex_progress === null);

    expect([before, building.length]).toEqual([0, 1]);
    expect(await countVectorsOfFile(platform, fileId)).toBeGreaterThan(0);
  });

  it('get theirs where a backup was restored without the tables of vectors', async () => {
    await moveExtension('public');
    await platform.runTask(COMPLETE);
    await eventually('they are made', 20, async () => (await base.request('GET')).body.reindex_progress === null);
    for (const table of await vectorTables(platform)) await platform.query(`DROP TABLE ${table}`);

    await platform.restart();
    await platform.runTask(COMPLETE);
    await eventually('they are made', 20, async () => (await base.request('GET')).body.reindex_progress === null);

    expect((await base.query(QUESTION, { mode: 'vector' }))[0]?.text).toContain('thirty days');
  });

  async function begin(): Promise<void> {
    platform = await startPlatform();
    await platform.query('CREATE SCHEMA hidden');
  }

  /** A base whose passages have no vectors. */
  async function fill(): Promise<void> {
    token = (await platform.login()).access_token;
    await moveExtension('hidden');
    base = await KnowledgeProbe.create(platform, token);
    fileId = (await base.index({ 'handbook.md': HANDBOOK }))[0]?.id;
  }

  /** The extension cannot be used where no search path leads to it. */
  async function moveExtension(schema: string): Promise<void> {
    await platform.query(`ALTER EXTENSION vector SET SCHEMA ${schema}`);
    await platform.restart();
  }

  async function check(): Promise<string> {
    return (await platform.request('GET', '/health')).body.checks.vectors;
  }
});
