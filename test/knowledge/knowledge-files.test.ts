import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/probes/eventually.js';
import type { AnyJson } from '../support/probes/any-json.js';
import { sseClient } from '../support/builders/graphql-clients.js';
import { pdf } from '../support/builders/documents/pdf-documents.js';
import { encoded } from '../support/builders/encoded.js';
import { HANDBOOK, KnowledgeProbe } from '../support/builders/knowledge.js';
import { countVectorsOfFile } from '../support/probes/stored-vectors.js';
import { SEARCH_MODES } from '../support/servers/services.js';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';

describe('the files of a knowledge base', () => {
  let [platform, token]: [Platform, string] = [] as never;
  let base: KnowledgeProbe;
  beforeAll(async () => {
    platform = await startPlatform();
    token = (await platform.login()).access_token;
  });
  afterAll(() => platform.close());
  beforeEach(async () => void (base = await KnowledgeProbe.create(platform, token)));

  it('are stored, read and found by what they say', async () => {
    const [file] = await base.index({ 'handbook.md': HANDBOOK }, { team: 'people' });

    const byMode = await Promise.all(
      SEARCH_MODES.map((mode) => base.query('How many days of holidays do I have?', { mode })),
    );

    expect(file).toMatchObject({
      object: 'knowledgebase.file',
      filename: 'handbook.md',
      mime_type: 'text/markdown',
      size_bytes: Buffer.byteLength(HANDBOOK),
      sha256: createHash('sha256').update(HANDBOOK).digest('hex'),
      status: 'ready',
      error: null,
      progress: 1,
      chunk_count: 2,
      language: 'en',
      pages_failed: [],
      metadata: { team: 'people' },
    });
    for (const [first] of byMode) {
      expect(first).toMatchObject({
        file_id: file?.id,
        filename: 'handbook.md',
        page: null,
        headings: ['Handbook', 'Holidays'],
        metadata: { team: 'people' },
      });
      expect(first?.text).toContain('thirty days of holidays');
      expect(first?.text).toContain(HANDBOOK.slice(first?.start, first?.end));
    }
  });

  it('are taken all or not at all', async () => {
    const answer = await base.send({ 'a.txt': 'a text', 'b.exe': Buffer.from('MZ\u0000\u0003\u0000\u0000') });

    expect(answer).toMatchObject({ status: 415, body: { error: { code: 'unsupported_media_type' } } });
    expect((await base.request('GET', '/files')).body.data).toEqual([]);
    expect(await platform.query("SELECT FROM blobs WHERE state = 'writing'")).toEqual([]);
  });

  it('are told to whoever watches its quota', async () => {
    const client = sseClient({ url: platform.url, token });
    const quotas = client.iterate({ query: 'subscription { quotaUpdated { usage { storageBytes } } }' });
    const next = async () => ((await quotas.next()).value as AnyJson).data.quotaUpdated.usage.storageBytes as number;
    const before = await next();

    await base.send({ 'a.txt': 'twelve bytes' });
    const after = await next();
    await quotas.return?.();
    client.dispose();

    expect(after - before).toBe(12);
  });

  it.each([
    ['is no object', '[1]'],
    ['is nested too deeply', `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`],
    ['has half of a character', String.raw`{"a":"\ud800"}`],
    ['has a NUL', String.raw`{"a":"\u0000"}`],
    ['has a number that is too large', '{"a":1e400}'],
  ])('are not taken where their metadata %s, and a filter is not either', async (_what, metadata) => {
    const form = new FormData();
    form.append('file', new Blob(['a text']), 'a.txt');
    form.append('metadata', metadata);

    const sent = await base.request('POST', '/files', form);
    const query = await base.request('POST', '/query', `{"query":"text","filter":${metadata}}`, {
      'content-type': 'application/json',
    });

    expect(sent).toMatchObject({ status: 400, body: { error: { param: 'metadata' } } });
    expect(query.status).toBe(400);
  });

  it('are taken beside others of the same name, of which they tell', async () => {
    const { body: before } = await base.send({ 'a.txt': 'the first', 'b.txt': 'another' });
    const [second] = await base.index({ 'a.txt': 'the second' });

    expect(before.data.map(({ warnings }: AnyJson) => warnings)).toEqual([[], []]);
    expect(second).toMatchObject({
      filename: 'a.txt',
      warnings: [`The knowledge base has another file named a.txt (${before.data[0].id}).`],
    });
    expect((await base.request('GET')).body.file_count).toBe(3);
  });

  it('take the place of those of the same name where that is asked for', async () => {
    const [first, other] = await base.index({ 'a.txt': 'the lighthouse is white', 'b.txt': 'the pier is grey' });
    const send = (content: string, query: string) => {
      const form = new FormData();
      form.append('file', new Blob([content]), 'a.txt');
      return base.request('POST', `/files?${query}`, form);
    };

    const refused = await send('the lighthouse is green', 'replace=maybe');
    const { body: same } = await send('the lighthouse is white', 'replace=true');
    const { status, body } = await send('the lighthouse is red', 'replace=true');
    await base.settled(body.data[0].id as string);

    expect([refused.status, refused.body.error?.param, status]).toEqual([400, 'replace', 202]);
    expect(body.data[0].warnings).toEqual([]);
    const { data } = (await base.request('GET', '/files?order=asc')).body;
    expect(data.map(({ id }: AnyJson) => id)).toEqual([other?.id, body.data[0].id]);
    expect((await base.query('what colour is the lighthouse?')).map(({ text }) => text)).not.toContain(
      'the lighthouse is white',
    );
    expect((await base.request('GET')).body).toMatchObject({ file_count: 2, size_bytes: 37 });
    for (const gone of [first?.id, same.data[0].id])
      expect((await base.request('GET', `/files/${gone}`)).status).toBe(404);
  });

  it('tell which charset was assumed', async () => {
    const text = 'Северный причал имеет длину 120 метров.';
    const [file] = await base.index({ 'pier.txt': encoded(text, 'windows-1251') });

    expect(file?.warnings).toEqual([expect.stringContaining('windows-1251')]);
    expect((await base.query('длина причала'))[0]?.text).toBe(text);
  });

  it('tell which pages have no text', async () => {
    const bytes = await pdf((document) => {
      document.addPage().text('The lighthouse is white.');
      document.addPage();
    });

    const [file] = await base.index({ 'pages.pdf': bytes });

    expect(file).toMatchObject({ status: 'ready', pages_failed: [], warnings: ['No text was found on page 2.'] });
  });

  it('are in a base once', async () => {
    await base.send({ 'a.txt': 'the same' });

    const again = await base.send({ 'b.txt': 'the same' });

    expect(again).toMatchObject({ status: 409, body: { error: { code: 'duplicate' } } });
    expect((await base.request('GET')).body).toMatchObject({ file_count: 1, size_bytes: 8 });
  });

  it('are sent as they came, by ranges too, and by an address that needs no token', async () => {
    const [file] = await base.index({ 'handbook.md': HANDBOOK });
    const path = `/files/${file?.id}/content`;

    const whole = await base.request('GET', path);
    const range = await base.request('GET', path, undefined, { range: 'bytes=2-9' });
    const { body } = await platform.graphql(
      'query ($base: ID!, $id: ID!) { knowledgeFileContent(knowledgebaseId: $base, id: $id) { url sha256 } }',
      { base: base.id, id: file?.id },
      token,
    );
    const { url, sha256 } = body.data.knowledgeFileContent;
    const byAddress = await platform.request('GET', url);

    expect([whole.status, whole.body]).toEqual([200, HANDBOOK]);
    expect([range.status, range.body]).toEqual([206, HANDBOOK.slice(2, 10)]);
    expect([byAddress.status, byAddress.body, sha256]).toEqual([200, HANDBOOK, file?.sha256]);
    expect(byAddress.headers.get('content-disposition')).toBe('attachment; filename=handbook.md');
  });

  it.each(['nonsense', '%E0%A4%A', '%', '%00', 'a'.repeat(5_000)])(
    'are at no address but those told: %s',
    async (sealed) => {
      expect((await platform.request('GET', `/v1/blobs/${sealed}`)).status).toBe(404);
    },
  );

  it('say why they could not be read, and are read once more when that is asked for', async () => {
    const [file] = await base.index({ 'a.pdf': '%PDF-1.7\nnothing of a PDF\n%%EOF' });

    const retried = await base.request('POST', `/files/${file?.id}/retry`);
    const again = await base.settled(file?.id);

    expect(file).toMatchObject({ status: 'failed', error: expect.stringContaining('damaged'), chunk_count: 0 });
    expect(retried).toMatchObject({ status: 202, body: { status: 'queued', error: null } });
    expect(again.status).toBe('failed');
    expect((await base.request('GET', '/files?status=failed')).body.data).toHaveLength(1);
    expect((await base.request('GET', '/files?status=ready')).body.data).toHaveLength(0);
  });

  it('are found no more when they are deleted, and nothing is left of them', async () => {
    const [file] = await base.index({ 'handbook.md': HANDBOOK });
    const blobKey = await blobOf(file?.id);

    const deleted = await base.request('DELETE', `/files/${file?.id}`);
    const found = await base.query('holidays');

    expect([deleted.status, found]).toEqual([204, []]);
    expect((await base.request('GET')).body).toMatchObject({ file_count: 0, size_bytes: 0 });
    await eventually('nothing is left', 20, async () => (await leftOf(file?.id, blobKey)) === 0);
  });

  it('go with their base', async () => {
    const [file] = await base.index({ 'handbook.md': HANDBOOK });
    const blobKey = await blobOf(file?.id);

    await base.request('DELETE');

    await eventually('nothing is left', 20, async () => (await leftOf(file?.id, blobKey)) === 0);
    const bases = () => platform.query('SELECT FROM knowledge_bases WHERE id = $1', [base.id]);
    await eventually('the base is gone, too', 20, async () => (await bases()).length === 0);
  });

  it('are sent over REST alone', async () => {
    const { body } = await platform.graphql(
      'mutation ($id: ID!) { addKnowledgeFile(knowledgebaseId: $id) { id } }',
      { id: base.id },
      token,
    );

    expect(body.errors[0].extensions).toMatchObject({ status: 400, code: 'bad_request' });
    expect(body.errors[0].message).toContain('/v1/knowledgebases/{id}/files');
  });

  it('are stored once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'a key of sixteen characters' };

    const first = await base.send({ 'a.txt': 'a text' }, undefined, headers);
    const second = await base.send({ 'a.txt': 'a text' }, undefined, headers);
    const other = await base.send({ 'a.txt': 'another text' }, undefined, headers);

    expect([second.status, second.body]).toEqual([202, first.body]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'idempotency_mismatch' } } });
    expect((await base.request('GET')).body.file_count).toBe(1);
  });

  it('tell how far they are to whoever watches', async () => {
    const stream = await platform.send('POST', '/graphql', {
      token,
      headers: { accept: 'text/event-stream' },
      body: {
        query: `subscription { knowledgeFileUpdated(knowledgebaseId: "${base.id}") { filename status progress } }`,
      },
    });
    const events = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let told = '';

    await base.send({ 'handbook.md': HANDBOOK });
    await eventually('it is told', 30, async () => (told += (await events?.read())?.value).includes('"ready"'));

    expect(told).toContain('"filename":"handbook.md"');
    await events?.cancel();
  });

  async function blobOf(fileId: unknown): Promise<string> {
    const sql = 'SELECT blob_key AS key FROM knowledge_files WHERE id = $1';
    return (await platform.query<{ key: string }>(sql, [fileId]))[0]?.key ?? '';
  }

  async function leftOf(fileId: unknown, blobKey: string): Promise<number> {
    const [row] = await platform.query<{ count: number }>(
      `SELECT (SELECT count(*) FROM knowledge_files WHERE id = $1)::integer
        + (SELECT count(*) FROM knowledge_chunks WHERE file_id = $1)::integer
        + (SELECT count(*) FROM blobs WHERE key = $2)::integer AS count`,
      [fileId, blobKey],
    );
    return (row?.count ?? 0) + (await countVectorsOfFile(platform, fileId));
  }
});
