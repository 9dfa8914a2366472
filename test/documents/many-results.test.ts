import { expect, it } from '@jest/globals';
import { DocumentProbe, INVOICE, INVOICE_SCHEMA } from '../support/builders/documents.js';
import type { Platform } from '../support/servers/platform.js';
import { usePlatform } from '../support/servers/use-servers.js';

const platform = usePlatform();

it('has the values of each of many documents, in the order of the schema, whatever others have', async () => {
  const { access_token: token } = await platform.login();
  const session = await DocumentProbe.create(platform, token, { schema: INVOICE_SCHEMA });
  const [read] = await session.read({ 'invoice.txt': INVOICE, 'broken.pdf': '%PDF-1.7' });
  await copy(platform, read?.id as string, 350);
  await platform.query(`UPDATE documents SET status = 'queued' WHERE id = 'doc_copy007'`);

  const { body } = await session.request('GET', '/results');

  const values = { number: 'INV-2024-0042', date: '2024-05-17', total: 1200, purchase_order: null };
  const data = body.data as { id: string; status: string; values: object }[];
  const whole = data.filter(({ status }) => status === 'ready');
  expect([data.length, whole.length]).toEqual([352, 350]);
  expect(data.map(({ id }) => id)).toEqual(data.map(({ id }) => id).toSorted());
  for (const document of whole) expect(JSON.stringify(document.values)).toBe(JSON.stringify(values));
  for (const document of data.filter((one) => !whole.includes(one))) {
    expect(document).toMatchObject({ values: { number: null, total: null }, fields: {} });
  }
});

/** Makes documents that are like one, with the same values. */
async function copy(platform: Platform, id: string, count: number): Promise<void> {
  await platform.query(
    `INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object('id', 'doc_copy' || lpad(n::text, 3, '0')))).*
     FROM documents d, generate_series(1, $2::integer) n WHERE d.id = $1`,
    [id, count],
  );
  await platform.query(
    `INSERT INTO document_values SELECT (jsonb_populate_record(v,
       jsonb_build_object('id', v.id || n, 'document_id', 'doc_copy' || lpad(n::text, 3, '0')))).*
     FROM document_values v, generate_series(1, $2::integer) n WHERE v.document_id = $1`,
    [id, count],
  );
}
