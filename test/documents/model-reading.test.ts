import { afterEach, describe, expect, it } from '@jest/globals';
import { addSignedInUser } from '../support/builders/accounts.js';
import { eventually } from '../support/probes/eventually.js';
import type { AnyJson } from '../support/probes/any-json.js';
import { DocumentProbe, INVOICE } from '../support/builders/documents.js';
import { setQuota } from '../support/builders/quota.js';
import { completion, json } from '../support/servers/scripted-backend.js';
import { useGateway } from '../support/servers/use-servers.js';

describe('a model that reads documents', () => {
  const gateway = useGateway();
  afterEach(() => gateway.backend.reset());

  it('is believed where the words that it quotes say the same', async () => {
    const fields = await read([
      { field: 'heading', value: 'Northwind Ltd.', quote: 'Northwind  LTD.', page: 1 },
      { field: 'paid', value: 1200, quote: 'Total: 1,200.00 EUR', page: 7 },
      { field: 'settled', value: '2024-05-17', quote: '17 May 2024', page: 1 },
      { field: 'total', value: 1200, quote: 'Total: 1,200.00 EUR', page: 1 },
    ]);

    expect(fields).toMatchObject({
      heading: { value: 'Northwind Ltd.', quote: 'Northwind Ltd.', extractor: 'model', status: 'pending' },
      paid: { value: 1200, quote: 'Total: 1,200.00 EUR', extractor: 'model' },
      settled: { value: '2024-05-17', quote: '17 May 2024', extractor: 'model' },
      total: { value: 1200, extractor: 'rules+model', status: 'extracted' },
    });
  });

  it('is not where it invents a value, a quote or a field, or is no list at all', async () => {
    const invented = await read([
      { field: 'heading', value: 'Southwind Ltd.', quote: 'Northwind Ltd.', page: 1 },
      { field: 'paid', value: 9000, quote: 'Total: 9,000.00 EUR', page: 1 },
      { field: 'settled', value: '2031-01-01', quote: '17 May 2024', page: 1 },
      { field: '__proto__.x', value: 'Northwind Ltd.', quote: 'Northwind Ltd.', page: 1 },
      { field: 'boss', value: 'Northwind Ltd.', quote: 'Northwind Ltd.', page: 1 },
      'heading',
      null,
    ]);
    const spoken = await readAnswer('I will not.');

    for (const fields of [invented, spoken]) {
      expect(Object.keys(fields)).toEqual(['heading', 'paid', 'settled', 'total']);
      for (const name of ['heading', 'paid', 'settled']) {
        expect(fields[name]).toMatchObject({ value: null, quote: null, reason: 'not_found' });
      }
    }
  });

  it('makes a value doubtful that it reads otherwise', async () => {
    const { total } = await read([{ field: 'total', value: 1000, quote: 'Net 1,000.00', page: 1 }]);

    expect(total).toMatchObject({ status: 'pending', reason: 'extractors_differ' });
    expect((total as AnyJson).confidence).toBeLessThanOrEqual(0.5);
  });

  it('gets the pages as data, and a form for its answer', async () => {
    await read([]);

    const [request] = gateway.backend.requests;
    expect(request?.body).toMatchObject({ model: 'scripted', response_format: { type: 'json_schema' } });
    expect(request?.body.messages[0].content).toMatch(
      /<passage-[a-z]{12} n="1" from="page 1">\n[^]*INV-2024-0042[^]*<\/passage-/,
    );
    expect(request?.body.messages[0].content).toContain('- settled: date; Day of writing');
  });

  it('is waited for while it is away, and fails a document that it refuses', async () => {
    gateway.backend.answer(json(400, { error: { message: 'No.' } }));
    const session = await open();

    const [document] = await session.read({ 'invoice.txt': INVOICE });

    expect(document).toMatchObject({ status: 'failed', error: expect.any(String) });
    expect((await session.get()).body).toMatchObject({ status: 'failed' });
  });

  it('is paid for by whoever has a document read by it', async () => {
    const other = await addSignedInUser(gateway.platform);
    const session = await DocumentProbe.create(gateway.platform, gateway.token, {
      schema: { ...SCHEMA, required: ['paid'] },
    });
    const [document] = await session.read({ 'invoice.txt': INVOICE });
    gateway.backend.byDefault = () => completion(JSON.stringify({ values: [] }));
    const callsOf = async (token: string) =>
      (await gateway.platform.request('GET', '/v1/usage/calls', { token })).body.data as AnyJson[];
    const before = await callsOf(gateway.token);

    const again = await session.as(other.token).request('POST', `/documents/${document?.id}/reprocess`, {
      model: 'scripted',
    });
    await session.settled(document?.id as string);

    expect(again).toMatchObject({ status: 202 });
    expect(await callsOf(other.token)).toMatchObject([{ area: 'documents', model: 'scripted' }]);
    expect(await callsOf(gateway.token)).toEqual(before);
  });

  it('fails a document when the quota is used up, which may be read once more then', async () => {
    await setQuota(gateway, { enforcing: true, tokens: 1 });
    const session = await open();

    const [document] = await session.read({ 'invoice.txt': INVOICE });
    await setQuota(gateway, { enforcing: false, tokens: null });
    gateway.backend.byDefault = () => completion(JSON.stringify({ values: [] }));
    const again = await session.request('POST', `/documents/${document?.id}/reprocess`, {});

    expect(document).toMatchObject({ status: 'failed', error: expect.stringContaining('tokens of this month') });
    expect(again.status).toBe(202);
    expect(await session.settled(document?.id as string)).toMatchObject({ status: 'ready', error: null });
  });

  it('may be left out of a document that waits for it', async () => {
    gateway.backend.byDefault = () => json(503, { error: { message: 'Away.' } });
    const session = await open();
    const { body } = await session.send({ 'invoice.txt': INVOICE });
    const { id } = body.data[0];
    await eventually('the document waits', 30, async () => {
      const { error, status } = (await session.request('GET', `/documents/${id}`)).body;
      return status === 'queued' && error !== null;
    });

    const again = await session.request('POST', `/documents/${id}/reprocess`, { model: null });

    expect(again.status).toBe(202);
    expect(await session.settled(id)).toMatchObject({ status: 'ready', model: null });
    expect((await session.get()).body).toMatchObject({ unfinished_count: 0, document_count: 1 });
  });

  it('is refused where it cannot answer so', async () => {
    const body = { name: 'X', schema: SCHEMA, model: 'builtin-extractive' };

    const answer = await gateway.post('/v1/document-analyzer/sessions', body);

    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'capability_not_supported' } } });
  });

  function open(): Promise<DocumentProbe> {
    return DocumentProbe.create(gateway.platform, gateway.token, { schema: SCHEMA, model: 'scripted' });
  }

  function read(values: readonly unknown[]): Promise<AnyJson> {
    return readAnswer(JSON.stringify({ values }));
  }

  /** What is read of the invoice when the model answers a text. */
  async function readAnswer(content: string): Promise<AnyJson> {
    gateway.backend.byDefault = () => completion(content);
    const session = await open();
    await session.read({ 'invoice.txt': INVOICE });
    const { body } = await session.request('GET', '/results');
    return body.data[0].fields as AnyJson;
  }
});

/** Of which the rules find none: nothing on the page is called so. */
const SCHEMA = {
  type: 'object',
  properties: {
    heading: { type: 'string', title: 'What stands at the top' },
    paid: { type: 'number', title: 'What changes hands in the end' },
    settled: { type: 'string', format: 'date', title: 'Day of writing' },
    total: { type: 'number', title: 'Total' },
  },
};
