import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { awaitHealth } from '../support/probes/awaited-health.js';
import { eventually } from '../support/probes/eventually.js';
import { startGateway } from '../support/servers/gateway.js';
import type { Gateway } from '../support/servers/gateway.js';
import { makeJobsDue } from '../support/builders/due-jobs.js';
import { HANDBOOK, KnowledgeProbe } from '../support/builders/knowledge.js';
import { S3Server } from '../support/servers/s3-server.js';
import { onVectors } from '../support/servers/services.js';
import { json } from '../support/servers/scripted-backend.js';
import { embeddings } from '../support/servers/scripted-embedder.js';

const GONE = json(500, { error: { message: 'out of memory' } });

onVectors.describe('a file whose reading needs something that is gone', () => {
  let [gateway, store, base]: [Gateway, S3Server, KnowledgeProbe] = [] as never;
  beforeAll(begin);
  afterAll(() => Promise.all([gateway.close(), store.close()]));

  it('says so, and is read by itself when it is back: the embedding model, then the store of files', async () => {
    gateway.backend.byDefault = () => GONE;
    const { body } = await base.send({ 'handbook.md': HANDBOOK });
    const { id } = body.data[0];

    await says(id, 'out of memory');
    store.fault = () => 'reset';
    gateway.backend.byDefault = (request) => embeddings(request);
    await makeJobsDue(gateway.platform, 'knowledge.ingest');
    await says(id, 'The file cannot be read at the moment.');
    const health = await awaitHealth(gateway.platform, ({ checks }) => checks.blobs === 'down');
    store.fault = () => undefined;
    await makeJobsDue(gateway.platform, 'knowledge.ingest');
    const file = await base.settled(id);

    expect(health.body).toMatchObject({ status: 'degraded', checks: { blobs: 'down' } });
    expect(file).toMatchObject({ status: 'ready', error: null, chunk_count: 2 });
    expect(await chunks()).toBe(2);
  });

  it('is 503 for whoever sends one while the store is gone, and leaves nothing', async () => {
    store.fault = () => ({ status: 503, code: 'SlowDown' });

    const answer = await base.send({ 'other.md': 'Another text.' });
    store.fault = () => undefined;

    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect((await base.request('GET')).body.file_count).toBe(1);
  });

  async function begin(): Promise<void> {
    store = await S3Server.start();
    gateway = await startGateway({ env: { KNOWLEDGE_EMBEDDING_MODEL: 'scripted', S3_URL: store.url() } });
    base = await KnowledgeProbe.create(gateway.platform, gateway.token);
  }

  async function says(id: string, error: string): Promise<void> {
    await eventually(`the file says: ${error}`, 30, async () => {
      const { body } = await base.request('GET', `/files/${id}`);
      return body.status === 'queued' && (body.error ?? '').includes(error);
    });
  }

  async function chunks(): Promise<number> {
    const [row] = await gateway.platform.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM knowledge_chunks',
    );
    return row?.count ?? 0;
  }
});
