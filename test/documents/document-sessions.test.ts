import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentProbe, INVOICE, INVOICE_SCHEMA } from '../support/builders/documents.js';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';

describe('a session of documents', () => {
  let [platform, token]: [Platform, string] = [] as never;
  beforeAll(async () => {
    platform = await startPlatform();
    token = (await platform.login()).access_token;
  });
  afterAll(() => platform.close());

  const open = (body: object = { schema: INVOICE_SCHEMA }) => DocumentProbe.create(platform, token, body);

  it('reads the fields of its schema, with the words that prove them', async () => {
    const session = await open();

    const [document] = await session.read({ 'invoice.txt': INVOICE });
    const { body } = await session.request('GET', '/results');

    expect(document).toMatchObject({ status: 'ready', filename: 'invoice.txt', error: null });
    expect((await session.get()).body).toMatchObject({ status: 'review', pending_count: 1, documents: [document] });
    expect(body).toMatchObject({
      object: 'document_analyzer.results',
      complete: false,
      data: [
        {
          id: document?.id,
          values: { number: 'INV-2024-0042', date: '2024-05-17', total: 1200, purchase_order: null },
        },
      ],
    });
    const [{ fields }] = body.data as [{ fields: Record<string, { quote: string | null }> }];
    expect(fields.purchase_order?.quote).toBeNull();
    for (const name of ['number', 'date', 'total']) expect(INVOICE).toContain(fields[name]?.quote);
  });

  it('asks a person for what is missing, whose last word completes it', async () => {
    const session = await open();
    await session.read({ 'invoice.txt': INVOICE });
    const { body: items } = await session.review();
    const [item] = items.data as [{ id: string; version: number }];

    const unfit = await session.resolve(item.id, { action: 'correct', value: 42 });
    const stale = await session.resolve(item.id, { action: 'correct', value: 'PO-7', version: item.version + 1 });
    const done = await session.resolve(item.id, { action: 'correct', value: 'PO-7', version: item.version });
    const again = await session.resolve(item.id, { action: 'correct', value: 'PO-7', version: item.version });
    const other = await session.resolve(item.id, { action: 'reject', version: item.version + 1 });
    const late = await session.send({ 'other.txt': INVOICE });

    expect(items.data).toMatchObject([{ field: 'purchase_order', status: 'pending', reason: 'not_found', version: 1 }]);
    expect(unfit).toMatchObject({ status: 400, body: { error: { param: 'value' } } });
    expect(stale).toMatchObject({ status: 409, body: { error: { current: { id: item.id, version: 1 } } } });
    expect(done).toMatchObject({ status: 200, body: { status: 'corrected', value: 'PO-7', version: 2 } });
    expect([again.status, again.body]).toEqual([200, done.body]);
    expect([other.status, late.status]).toEqual([409, 409]);
    expect((await session.get()).body).toMatchObject({ status: 'completed', pending_count: 0 });
    expect((await session.request('GET', '/results')).body).toMatchObject({
      complete: true,
      data: [{ values: { purchase_order: 'PO-7' } }],
    });
  });

  it('has results whatever it is called', async () => {
    const session = await open({ schema: INVOICE_SCHEMA, name: `${'a'.repeat(99)}𐀀𐀀` });

    const answer = await session.fetch('/results?format=csv');

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toContain('aaa');
  });

  it('is complete at once where nothing is doubtful', async () => {
    const session = await open({
      schema: { type: 'object', properties: { total: { type: 'number' } } },
      review_threshold: 0,
    });

    await session.read({ 'invoice.txt': INVOICE });

    expect((await session.get()).body).toMatchObject({ status: 'completed', document_count: 1 });
  });

  it('has failed where none of its documents could be read', async () => {
    const session = await open();

    const [document] = await session.read({ 'broken.pdf': '%PDF-1.7 and nothing more' });

    expect(document).toMatchObject({ status: 'failed', error: expect.any(String) });
    expect((await session.get()).body).toMatchObject({ status: 'failed', failed_count: 1, unfinished_count: 0 });
  });

  it('keeps what people have said when a document is read anew', async () => {
    const session = await open();
    const [document] = await session.read({ 'invoice.txt': INVOICE, 'second.txt': `${INVOICE}\n` });
    const { body: items } = await session.review();
    const mine = (items.data as { id: string; document_id: string }[]).find(
      ({ document_id: id }) => id === document?.id,
    );
    await session.resolve(mine?.id ?? '', { action: 'correct', value: 'PO-7' });

    const reprocessed = await session.request('POST', `/documents/${document?.id}/reprocess`, {});
    await session.settled(document?.id as string);

    expect(reprocessed).toMatchObject({ status: 202, body: { status: 'queued' } });
    expect((await session.review('?status=corrected')).body.data).toMatchObject([{ id: mine?.id, value: 'PO-7' }]);
    expect((await session.get()).body).toMatchObject({ status: 'review', pending_count: 1 });
  });

  it.each([
    ['csv', 'text/csv', 'INV-2024-0042'],
    ['xlsx', 'spreadsheetml', 'PK'],
  ])('is written as %s', async (format, type, content) => {
    const session = await open();
    await session.read({ 'invoice.txt': INVOICE });

    const response = await session.fetch(`/results?format=${format}`);

    expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)]);
    expect(await response.text()).toContain(content);
  });

  it.each([
    ['both', { schema: INVOICE_SCHEMA, template: 'invoice' }],
    ['neither', {}],
    ['what is no schema of it', { schema: { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } } }],
  ])('needs a schema or a template, not %s', async (_what, body) => {
    const answer = await platform.as(token).post('/v1/document-analyzer/sessions', { name: 'X', ...body });

    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
  });

  it('goes with all that is in it', async () => {
    const session = await open();
    await session.read({ 'invoice.txt': INVOICE });

    const deleted = await session.request('DELETE');

    expect([deleted.status, (await session.get()).status]).toEqual([204, 404]);
    await session.untilErased();
  });
});
