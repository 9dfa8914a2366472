import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '../support/probes/eventually.js';
import { makeJobsDue } from '../support/builders/due-jobs.js';
import { HANDBOOK, KnowledgeProbe } from '../support/builders/knowledge.js';
import { onVectors } from '../support/servers/services.js';
import { heldUntil, json } from '../support/servers/scripted-backend.js';
import { embeddings } from '../support/servers/scripted-embedder.js';
import { useGateway } from '../support/servers/use-servers.js';

const EMBEDDER = { models: ['first', 'second', 'third'], supports: ['embeddings'] };
const QUESTION = 'How many days of holidays do I have?';

onVectors.describe('another embedding model of a knowledge base', () => {
  const gateway = useGateway({ backends: [EMBEDDER] });
  let base: KnowledgeProbe;
  afterEach(() => gateway.backend.reset());
  beforeEach(begin);

  it('takes the place of the one before when all files have its vectors, and not before', async () => {
    const gate = Promise.withResolvers<void>();
    gateway.backend.byDefault = (request) =>
      request.body.model === 'second' ? heldUntil(gate.promise, embeddings(request, 32)) : embeddings(request);

    const patched = await use('second');
    const before = await base.query(QUESTION, { mode: 'vector' });
    const modelsBefore = queriesAsked();
    gate.resolve();
    await done();
    const after = await base.query(QUESTION, { mode: 'vector' });

    expect(patched.body).toMatchObject({ embedding_model: 'second', reindex_progress: 0, reindex_error: null });
    expect(before[0]?.text).toContain('thirty days');
    expect(modelsBefore.at(-1)).toBe('first');
    expect(queriesAsked().at(-1)).toBe('second');
    expect(after.map(({ text, start, end }) => [text, start, end]).sort()).toEqual(
      before.map(({ text, start, end }) => [text, start, end]).sort(),
    );
    await eventually('the old passages are gone', 20, async () => (await rows('knowledge_chunks')) === 2);
    expect(await rows('knowledge_indexes')).toBe(1);
    expect(await rows('knowledge_reindexed_files')).toBe(0);
  });

  it('takes the place of the one before in the middle of a query, which is answered by the new one', async () => {
    const gate = Promise.withResolvers<void>();
    gateway.backend.byDefault = (request) =>
      request.body.input === QUESTION && request.body.model === 'first'
        ? heldUntil(gate.promise, embeddings(request))
        : embeddings(request);
    const query = gateway.backend.nextRequest();

    const found = base.query(QUESTION, { mode: 'vector' });
    await query;
    await use('second');
    await eventually('the vectors before are gone', 20, async () => (await rows('knowledge_indexes')) === 1);
    gate.resolve();

    expect((await found)[0]?.text).toContain('thirty days');
    expect(queriesAsked()).toEqual(['first', 'second']);
  });

  it('has the files that come, and not those that go, while it is made', async () => {
    const gate = Promise.withResolvers<void>();
    gateway.backend.byDefault = (request) =>
      request.body.model === 'second' ? heldUntil(gate.promise, embeddings(request)) : embeddings(request);
    const [gone] = await base.index({ 'gone.md': 'Zebras are striped.' });

    await use('second');
    await base.index({ 'new.md': 'Giraffes are tall.' });
    await base.request('DELETE', `/files/${gone?.id}`);
    gate.resolve();
    await done();

    const found = await base.query('zebras giraffes', { top_k: 100 });
    expect(found.map(({ filename }) => filename).sort()).toEqual(['handbook.md', 'handbook.md', 'new.md']);
  });

  it('goes on where the file is deleted whose vectors are being made', async () => {
    const gate = Promise.withResolvers<void>();
    gateway.backend.byDefault = (request) =>
      request.body.model === 'second' ? heldUntil(gate.promise, embeddings(request)) : embeddings(request);
    const asked = gateway.backend.nextRequest();

    await use('second');
    await asked;
    const { data } = (await base.request('GET', '/files')).body;
    await base.request('DELETE', `/files/${data[0].id}`);
    gate.resolve();
    await done();

    expect(await base.query(QUESTION)).toEqual([]);
    expect((await base.request('GET')).body).toMatchObject({ reindex_progress: null, file_count: 0 });
  });

  it('says why it is not made, and goes on by itself', async () => {
    gateway.backend.byDefault = (request) =>
      request.body.model === 'second' ? json(500, { error: { message: 'out of memory' } }) : embeddings(request);

    await use('second');
    await eventually('it is told', 20, async () => (await base.request('GET')).body.reindex_error !== null);
    const { body } = await base.request('GET');
    const found = await base.query(QUESTION);
    gateway.backend.byDefault = (request) => embeddings(request);
    await makeJobsDue(gateway.platform, 'knowledge.reindex');
    await done();

    expect(body).toMatchObject({ reindex_progress: 0, reindex_error: expect.stringContaining('out of memory') });
    expect(found[0]?.text).toContain('thirty days');
    expect((await base.request('GET')).body).toMatchObject({ reindex_progress: null, reindex_error: null });
  });

  it('may be changed again before it is there, also to the one before', async () => {
    gateway.backend.byDefault = (request) =>
      request.body.model === 'second' ? json(500, { error: { message: 'no' } }) : embeddings(request);

    await use('second');
    await use('third');
    await done();
    await use('second');
    const back = await use('third');

    expect(back.body).toMatchObject({ embedding_model: 'third', reindex_progress: null });
    await base.query(QUESTION, { mode: 'vector' });
    expect(queriesAsked().at(-1)).toBe('third');
    await eventually('the others are gone', 20, async () => (await rows('knowledge_indexes')) === 1);
  });

  it.each([
    ['numbers that are too large', [1e300]],
    ['nothing', []],
    ['more numbers than can be stored', Array.from({ length: 16_001 }, () => 1)],
    ['no numbers', ['one']],
  ])('is told where it answers %s', async (_what, embedding) => {
    const answer = json(200, { data: [{ index: 0, embedding }], usage: { prompt_tokens: 1, total_tokens: 1 } });
    gateway.backend.byDefault = () => answer;

    const query = await base.request('POST', '/query', { query: QUESTION, mode: 'vector' });

    expect([query.status, query.body.error.code]).toEqual([502, 'bad_upstream']);
  });

  it('begins nothing where it is the same', async () => {
    const { body } = await use('first');

    expect(body.reindex_progress).toBeNull();
    expect(await rows('knowledge_indexes')).toBe(1);
  });

  it('is told where its vectors have another length than before: they cannot be compared', async () => {
    gateway.backend.byDefault = (request) => embeddings(request, 24);

    const query = await base.request('POST', '/query', { query: QUESTION });
    const [file] = await base.index({ 'new.md': 'Giraffes are tall.' });

    expect(query).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(query.body.error.message).toContain('vectors of 24 numbers, where those of the knowledge base have 16');
    expect(file).toMatchObject({ status: 'failed', error: query.body.error.message });
    expect((await base.query(QUESTION, { mode: 'keyword' })).length).toBeGreaterThan(0);
  });

  async function begin(): Promise<void> {
    gateway.backend.byDefault = (request) => embeddings(request);
    base = await KnowledgeProbe.create(gateway.platform, gateway.token, { embedding_model: 'first' });
    await base.index({ 'handbook.md': HANDBOOK });
  }

  function use(model: string) {
    return base.request('PATCH', '', { embedding_model: model });
  }

  async function done(): Promise<void> {
    await eventually('it is searched', 30, async () => (await base.request('GET')).body.reindex_progress === null);
  }

  /** The models that made vectors of queries. */
  function queriesAsked(): unknown[] {
    return gateway.backend.requests.filter(({ body }) => body.input === QUESTION).map(({ body }) => body.model);
  }

  /** Rows of this test's base. */
  async function rows(table: string): Promise<number> {
    const ofBase =
      table === 'knowledge_indexes'
        ? 'base_id = $1'
        : 'index_id IN (SELECT id FROM knowledge_indexes WHERE base_id = $1)';
    const [row] = await gateway.platform.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM ${table} WHERE ${ofBase}`,
      [base.id],
    );
    return row?.count ?? 0;
  }
});
