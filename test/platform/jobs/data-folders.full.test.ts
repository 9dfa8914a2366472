import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addStaffedTenant } from '../../support/builders/accounts.js';
import type { SignedInUser } from '../../support/builders/accounts.js';
import { DocumentProbe, INVOICE, INVOICE_SCHEMA } from '../../support/builders/documents.js';
import { HANDBOOK, KnowledgeProbe } from '../../support/builders/knowledge.js';
import { eventually } from '../../support/probes/eventually.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { onPostgres } from '../../support/servers/services.js';

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six'];

onPostgres.describe('servers with a data folder each', () => {
  let [knowledge, documents, user]: [Platform, Platform, SignedInUser] = [] as never;
  const folders: string[] = [];
  beforeAll(start);
  afterAll(close);

  it('read the files that were sent to them, each at the first attempt, one server for each domain', async () => {
    const base = await KnowledgeProbe.create(knowledge, user.token);
    const session = await DocumentProbe.create(documents, user.token, { schema: INVOICE_SCHEMA });

    const read = await Promise.all([base.index(filesOf(HANDBOOK)), session.read(filesOf(INVOICE))]);

    expect(read.flat().map(({ status, error }) => [status, error])).toEqual(Array(12).fill(['ready', null]));
    expect(await attempts()).toEqual(Array(12).fill(1));
    expect(knowledge.logLines.filter((line) => /"level":(40|50|60)/.test(line) && line.includes('job'))).toEqual([]);
  });

  it('read them where both serve the same domains, and send their own alone', async () => {
    const other = await documents.startReplica({ served: ['identity', 'knowledge'], dataDir: await folder() });
    const there = await KnowledgeProbe.create(other, user.token);
    const base = await KnowledgeProbe.create(knowledge, user.token);

    const [here, sent] = await Promise.all([base.index(filesOf(HANDBOOK)), there.index(filesOf(HANDBOOK))]);
    const path = `/v1/knowledgebases/${there.id}/files/${sent[0]?.id}/content`;
    const answers = [await other.request('GET', path, { token: user.token })];
    answers.push(await knowledge.request('GET', path, { token: user.token }));
    await other.close();

    expect([...here, ...sent].map(({ status }) => status)).toEqual(Array(12).fill('ready'));
    expect(await attempts()).toEqual(Array(24).fill(1));
    expect(answers.map(({ status }) => status)).toEqual([200, 503]);
    expect(knowledge.logLines.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  });

  it('leave a file alone whose server is gone, say so, and read it when that is back', async () => {
    const dataDir = await folder();
    const owner = await documents.startReplica({ served: ['identity', 'knowledge'], dataDir });
    const base = await KnowledgeProbe.create(owner, user.token);
    const [file] = await base.index({ 'a.md': HANDBOOK });
    await owner.close();
    const path = `/v1/knowledgebases/${base.id}/files/${file?.id}`;
    const see = async () => (await knowledge.request('GET', path, { token: user.token })).body;

    await knowledge.query("UPDATE knowledge_files SET status = 'failed' WHERE id = $1", [file?.id]);
    const { status } = await knowledge.request('POST', `${path}/retry`, { token: user.token });
    await knowledge.query(
      'UPDATE blob_sweeps SET claimed_until = now() WHERE process_id NOT IN (SELECT id FROM processes)',
    );
    await knowledge.query("UPDATE jobs.job SET created_on = now() - interval '1 minute' WHERE state < 'active'");
    await knowledge.runTask('ending files whose jobs are over');
    const waiting = await see();
    const back = await documents.startReplica({ served: ['identity', 'knowledge'], dataDir });
    const read = await eventually('it is read', 30, async () => {
      const seen = await see();
      return seen.status === 'ready' && seen;
    });
    await back.close();

    expect(status).toBe(202);
    expect(waiting).toMatchObject({ status: 'queued', error: expect.stringContaining('server that is not running') });
    expect(read.error).toBeNull();
    expect(new Set(await attempts())).toEqual(new Set([1]));
  });

  async function folder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'data-'));
    folders.push(path);
    return path;
  }

  /** How often each job that needs a file was begun. */
  async function attempts(): Promise<number[]> {
    const rows = await knowledge.query<{ attempts: number }>(
      `SELECT retry_count + (started_on IS NOT NULL)::integer AS attempts FROM jobs.job
       WHERE name IN ('knowledge.ingest', 'documents.read')`,
    );
    return rows.map((row) => row.attempts);
  }

  async function start(): Promise<void> {
    knowledge = await startPlatform({ DOMAINS: 'identity,knowledge' });
    documents = await knowledge.startReplica({ served: ['identity', 'documents'], dataDir: await folder() });
    ({ user } = await addStaffedTenant(knowledge));
  }

  async function close(): Promise<void> {
    await documents.close();
    await knowledge.close();
    await Promise.all(folders.map((path) => rm(path, { recursive: true })));
  }
});

/** Files whose contents differ. */
function filesOf(content: string): Record<string, string> {
  return Object.fromEntries(NAMES.map((name) => [`${name}.txt`, `${content}\nThe name is ${name}.\n`]));
}
