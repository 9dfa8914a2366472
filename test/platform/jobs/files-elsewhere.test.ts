import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { addStaffedTenant } from '../../support/builders/accounts.js';
import type { StaffedTenant } from '../../support/builders/accounts.js';
import { DocumentProbe, INVOICE, INVOICE_SCHEMA } from '../../support/builders/documents.js';
import { HANDBOOK, KnowledgeProbe } from '../../support/builders/knowledge.js';
import { RecordingProbe, silentWav } from '../../support/builders/recordings.js';
import { addResearchSession, SESSIONS } from '../../support/builders/research.js';
import { TranslatedDocuments } from '../../support/builders/translated-documents.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { eventually } from '../../support/probes/eventually.js';
import { useGateway } from '../../support/servers/use-servers.js';

const WAITS = expect.stringContaining('a server that is not running');

describe('what needs a file of a server that is not there', () => {
  const gateway = useGateway({ env: { PREVIEW_DOCUMENT_TRANSLATION: 'true' } });
  let tenant: StaffedTenant;
  beforeAll(async () => {
    gateway.backend.byDefault = () => ({ ending: 'silent' });
    tenant = await addStaffedTenant(gateway.platform);
  });
  afterEach(() => gateway.platform.query('DROP TRIGGER IF EXISTS elsewhere ON blobs'));

  it('is 503 for whoever fetches it, in words that say why, and no failure of the store', async () => {
    const { platform } = gateway;
    const base = await KnowledgeProbe.create(platform, tenant.user.token);
    const [file] = await base.index({ 'fetched.md': HANDBOOK });
    await platform.query("UPDATE blobs SET store = 'elsewhere' WHERE state = 'kept'");

    const { status, body } = await base.request('GET', `/files/${file?.id}/content`);

    expect(status).toBe(503);
    expect(body.error).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('stored on another server'),
    });
    expect(platform.logLines.filter((line) => line.includes('the store of files does not work'))).toEqual([]);
  });

  it.each([
    ['a file of a knowledge base', 'knowledge.ingest', 'ending files whose jobs are over', sendKnowledgeFile],
    ['a document', 'documents.read', 'ending documents whose jobs are over', sendDocument],
    ['a recording', 'echo.transcribe', 'ending recordings whose jobs are over', sendRecording],
    ['a translation', 'translation.document', 'ending document translations whose jobs are over', sendTranslation],
    ['a research session', 'researcher.session', 'ending research sessions whose jobs are over', resumeSession],
  ])('waits, is told of, and goes on when that is back: %s', async (_what, kind, task, send) => {
    const { platform } = gateway;
    const own = await writeElsewhere();
    const read = await send();
    const waiting = await jobOf(kind);
    const before = await read();

    await platform.query("UPDATE jobs.job SET created_on = now() - interval '1 minute' WHERE name = $1", [kind]);
    await platform.runTask(task);
    const told = await read();
    await platform.runTask('counting jobs');
    const { body: health } = await platform.request('GET', '/health');
    await platform.query('UPDATE blobs SET store = $1', [own]);
    await platform.runTask('updating the file stores of waiting jobs');
    const begun = await eventually('its job is begun', 20, async () => {
      const job = await jobOf(kind);
      return job.attempts > 0 && job;
    });
    await eventually('nothing is told any more', 20, async () => !JSON.stringify(await read()).includes('not running'));

    expect(waiting).toEqual({ id: begun.id, store: 'elsewhere', attempts: 0 });
    expect(before.error).toBeNull();
    expect(told).toMatchObject({ status: before.status, error: WAITS });
    expect(health.checks.jobs).toBe('degraded');
    expect(begun.attempts).toBe(1);
    expect(platform.logLines.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  });

  it('is said of a knowledge file in the graph, too', async () => {
    const { platform } = gateway;
    await writeElsewhere();
    const base = await KnowledgeProbe.create(platform, tenant.user.token);
    const { body: sent } = await base.send({ 'waiting.md': HANDBOOK });
    await platform.query("UPDATE jobs.job SET created_on = now() - interval '1 minute'");
    await platform.runTask('ending files whose jobs are over');

    const query = 'query ($base: ID!, $id: ID!) { knowledgeFile(knowledgebaseId: $base, id: $id) { status error } }';
    const { body } = await platform.graphql(query, { base: base.id, id: sent.data[0].id }, tenant.user.token);

    expect(body.data.knowledgeFile).toEqual({ status: 'queued', error: WAITS });
  });

  it('is not kept from whoever deletes it, and its job is over then', async () => {
    const { platform } = gateway;
    await writeElsewhere();
    const base = await KnowledgeProbe.create(platform, tenant.user.token);
    const { body } = await base.send({ 'deleted.md': HANDBOOK });
    const id = body.data[0].id as string;
    const sql = 'SELECT blob_key FROM knowledge_files WHERE id = $1';
    const [file] = await platform.query<{ blob_key: string }>(sql, [id]);
    const { status } = await base.request('DELETE', `/files/${id}`);
    await eventually('its blob is released', 10, async () => {
      const rows = await platform.query("SELECT FROM blobs WHERE key = $1 AND state = 'kept'", [file?.blob_key]);
      return rows.length === 0;
    });

    await platform.runTask('updating the file stores of waiting jobs');

    expect(status).toBe(204);
    await eventually('its job is over', 20, async () => {
      const rows = await platform.query(
        "SELECT FROM jobs.job WHERE data->'payload'->>'fileId' = $1 AND state < 'completed'",
        [id],
      );
      return rows.length === 0;
    });
  });

  it('fails, and says why, when the operator gives a lost file to a server that runs', async () => {
    const { platform } = gateway;
    const own = await writeElsewhere();
    const base = await KnowledgeProbe.create(platform, tenant.user.token);
    const { body } = await base.send({ 'lost.md': HANDBOOK });
    const [file] = await platform.query<{ blob_key: string }>('SELECT blob_key FROM knowledge_files WHERE id = $1', [
      body.data[0].id,
    ]);
    await platform.app.blobs['store'].delete(file?.blob_key ?? '', AbortSignal.timeout(5_000));

    await platform.query('UPDATE blobs SET store = $1', [own]);
    await platform.runTask('updating the file stores of waiting jobs');

    const settled = await base.settled(body.data[0].id);
    expect(settled).toMatchObject({ status: 'failed', error: 'The bytes of the file are gone.' });
  });

  /** From now on files are written as another server would write them. @returns the id of this server's store */
  async function writeElsewhere(): Promise<string> {
    const { platform } = gateway;
    const base = await KnowledgeProbe.create(platform, tenant.user.token);
    await base.index({ 'first.md': HANDBOOK });
    await platform.query(`CREATE OR REPLACE FUNCTION elsewhere() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.store := 'elsewhere'; RETURN NEW; END $$`);
    await platform.query('CREATE TRIGGER elsewhere BEFORE INSERT ON blobs FOR EACH ROW EXECUTE FUNCTION elsewhere()');
    return (await platform.app.blobs.storeId()) as string;
  }

  async function jobOf(kind: string): Promise<{ id: string; store: string | null; attempts: number }> {
    const sql = `
      SELECT id, data->>'store' AS store, retry_count + (started_on IS NOT NULL)::integer AS attempts
      FROM jobs.job WHERE name = $1 ORDER BY id DESC LIMIT 1`;
    const [job] = await gateway.platform.query<{ id: string; store: string | null; attempts: number }>(sql, [kind]);
    if (!job) throw new Error(`There is no job: ${kind}.`);
    return job;
  }

  function reader(path: string): () => Promise<AnyJson> {
    return async () => (await gateway.platform.request('GET', path, { token: tenant.user.token })).body;
  }

  async function sendKnowledgeFile() {
    const base = await KnowledgeProbe.create(gateway.platform, tenant.user.token);
    const { body } = await base.send({ 'handbook.md': HANDBOOK });
    return reader(`/v1/knowledgebases/${base.id}/files/${body.data[0].id}`);
  }

  async function sendDocument() {
    const session = await DocumentProbe.create(gateway.platform, tenant.user.token, { schema: INVOICE_SCHEMA });
    const { body } = await session.send({ 'invoice.txt': INVOICE });
    return reader(`/v1/document-analyzer/sessions/${session.id}/documents/${body.data[0].id}`);
  }

  async function sendRecording() {
    const { platform } = gateway;
    const recording = await RecordingProbe.create(platform, tenant.user.token);
    const audio = silentWav(1);
    // The head of a recording is read when it is there.
    await platform.query('DROP TRIGGER elsewhere ON blobs');
    await recording.putPiece(audio, 0, 20_000);
    await platform.query(
      "UPDATE blobs SET store = 'elsewhere' WHERE key IN (SELECT blob_key FROM recording_pieces WHERE recording_id = $1)",
      [recording.id],
    );
    await recording.putPiece(audio, 20_000, audio.length);
    return reader(`/v1/echo/recordings/${recording.id}`);
  }

  async function sendTranslation() {
    const { body } = await new TranslatedDocuments(gateway.platform, tenant.user.token).send('a.txt', 'A red house.');
    return reader(`/v1/translate/documents/${body.id}`);
  }

  /** A session that has failed after it has read a page. */
  async function resumeSession() {
    const { platform } = gateway;
    const id = await addResearchSession(platform, tenant.user, { status: 'failed' });
    const base = await KnowledgeProbe.create(platform, tenant.user.token);
    await base.send({ 'page.txt': 'What the page says.' });
    await platform.query(
      `INSERT INTO research_sources (session_id, id, "position", url, status, mirrors, blob_key)
       SELECT $1, 'src_1', 1, 'https://example.com/', 'read', '{}', key FROM blobs ORDER BY created_at DESC LIMIT 1`,
      [id],
    );
    await platform.request('POST', `${SESSIONS}/${id}/resume`, { token: tenant.user.token });
    return reader(`${SESSIONS}/${id}`);
  }
});
