import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInUser, addTenant } from '../../support/builders/accounts.js';
import { officeFile } from '../../support/builders/documents/hostile-documents.js';
import { wordBody } from '../../support/builders/documents/rich-office-documents.js';
import { eventually } from '../../support/probes/eventually.js';
import { startGateway } from '../../support/servers/gateway.js';
import type { Gateway } from '../../support/servers/gateway.js';
import { setQuota } from '../../support/builders/quota.js';
import { TranslatedDocuments } from '../../support/builders/translated-documents.js';
import type { DocumentFields } from '../../support/builders/translated-documents.js';
import { libretranslate, toGerman } from '../../support/builders/translating-model.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('documents that are not translated', () => {
  const gateway = useGateway({ env: { BUILTIN_BACKEND: 'false', PREVIEW_DOCUMENT_TRANSLATION: 'true' } });
  let documents: TranslatedDocuments;

  beforeAll(async () => {
    documents = new TranslatedDocuments(gateway.platform, gateway.token);
  });

  it.each<
    [
      what: string,
      filename: string,
      content: () => string | Uint8Array | Promise<Uint8Array>,
      fields: DocumentFields,
      status: number,
    ]
  >([
    ['no target language', 'a.txt', () => 'x', { target_language: undefined }, 400],
    ['a malformed target language', 'a.txt', () => 'x', { target_language: 'not a tag' }, 400],
    ['an unknown formality', 'a.txt', () => 'x', { formality: 'rude' }, 400],
    ['a model that is not there', 'a.txt', () => 'x', { model: 'nobody' }, 404],
    ['a PDF file', 'a.pdf', () => '%PDF-1.7\n', {}, 415],
    ['an office file of no bytes', 'a.docx', () => '', {}, 415],
    ['a CSV file', 'a.csv', () => 'a,b\n', {}, 415],
    ['a file of YAML', 'en.yml', () => 'en:\n  hello: Hello\n', {}, 415],
    ['resources of .NET', 'a.resx', () => '<?xml version="1.0"?><root><data name="a"/></root>', {}, 415],
    ['a property list', 'a.strings', () => '<?xml version="1.0"?><plist><dict/></plist>', {}, 415],
    ['settings', 'a.ini', () => '[main]\nname = Hello\n', {}, 415],
    [
      'an office file with a password',
      'a.docx',
      () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
      {},
      415,
    ],
    [
      'a document with macros',
      'a.docx',
      () =>
        officeFile(
          'docx',
          { 'word/document.xml': '<document/>' },
          { mainType: 'application/vnd.ms-word.document.macroEnabled.main+xml' },
        ),
      {},
      415,
    ],
  ])('are refused with %s', async (_what, filename, content, fields, status) => {
    const before = await documents.blobs();

    expect((await documents.send(filename, await content(), fields)).status).toBe(status);
    expect(await documents.blobs()).toBe(before);
  });

  it('are refused with the list of what is translated', async () => {
    const { body } = await documents.send('en.yml', 'hello: Hello\n');

    expect(body.error.message).toBe(
      'en.yml is none of DOCX, PPTX, XLSX, HTML, plain text (.txt), Markdown, SRT, WebVTT, JSON, PO, XLIFF (.xlf), ' +
        'Android strings.xml, Apple .strings, .arb or Java .properties.',
    );
  });

  it.each([
    ['is damaged', 'a.json', () => '{"a": ', 'damaged'],
    [
      'is a workbook that is said to be a document',
      'a.docx',
      () =>
        officeFile('docx', {
          'word/document.xml': '<?xml version="1.0"?><x:workbook xmlns:x="x"><sheets/></x:workbook>',
        }),
      'damaged',
    ],
    ['has a document type', 'a.docx', () => wordBody('<!DOCTYPE x>'), 'damaged'],
  ])('fail with a reason where the file %s', async (_what, filename, content, reason) => {
    const { status, error, id } = await documents.translate(filename, await content());

    expect(status).toBe('failed');
    expect(error).toContain(reason);
    expect((await documents.content(id as string)).status).toBe(409);
  });

  it.each([
    [400, 'failed', 'The model server refused to translate (bad_request).'],
    [422, 'failed', 'The model server refused to translate (bad_request).'],
    [500, 'queued', 'The model server failed (bad_upstream).'],
    [501, 'failed', 'The model server refused to translate (capability_not_supported).'],
  ])(
    'say what a model server answers in words that have nothing of the texts, whatever it repeats: %i',
    async (status, ending, error) => {
      gateway.backend.byDefault = ({ body }) => {
        const message = `I cannot read this: ${JSON.stringify(body)}`;
        return { status, pieces: [JSON.stringify({ error: { message } })] };
      };

      const { body } = await documents.send('a.txt', 'The secret garden is red.');
      const document = await documents.until(body.id as string, ({ error: told }) => told !== null);
      const rows = await gateway.platform.query('SELECT * FROM document_translations WHERE id = $1', [body.id]);
      await documents.delete(body.id as string);

      expect(document).toMatchObject({ status: ending, error });
      expect(JSON.stringify(rows)).not.toContain('secret');
    },
  );

  it('are refused when they are sent where there is no room for their translation, and cost nothing', async () => {
    const tenantId = await addTenant(gateway.platform);
    const own = new TranslatedDocuments(gateway.platform, (await addSignedInUser(gateway.platform, tenantId)).token);
    await setQuota(gateway, { enforcing: true, user_storage_bytes: 3_000 }, tenantId);
    gateway.backend.reset();
    const before = await own.blobs();

    const { status, body } = await own.send('a.txt', 'The house is red. '.repeat(120));

    expect([status, body.error.reason]).toEqual([409, 'storage_exceeded']);
    expect(gateway.received).toBe(0);
    expect(await own.blobs()).toBe(before);
  });
});

describe('documents where a translation server alone translates', () => {
  let gateway: Gateway;
  let documents: TranslatedDocuments;

  beforeAll(async () => {
    const env = { BUILTIN_BACKEND: 'false', PREVIEW_DOCUMENT_TRANSLATION: 'true', EGRESS_ALLOW: '127.0.0.0/8' };
    gateway = await startGateway({ backends: [{ id: 'lt', kind: 'libretranslate', models: undefined }], env });
    gateway.backend.byDefault = libretranslate((text) => toGerman(text));
    documents = new TranslatedDocuments(gateway.platform, gateway.token);
    await eventually('the server has told its languages', 60, async () => {
      const { body } = await gateway.get('/v1/translate/languages');
      return body.data.length > 0;
    });
  });
  afterAll(() => gateway.close());

  it.each<[what: string, fields: DocumentFields, param: string]>([
    ['a target that it does not serve', { target_language: 'ja' }, 'target_language'],
    [
      'a target that it does not serve, from an unknown language',
      { target_language: 'ja', source_language: undefined },
      'target_language',
    ],
    ['a source that it does not serve', { source_language: 'ja' }, 'target_language'],
    ['a pair that the named model does not serve', { target_language: 'ja', model: 'lt' }, 'target_language'],
    ['an option that it does not have', { formality: 'more' }, 'formality'],
  ])('are refused at once for %s, and nothing is stored', async (_what, fields, param) => {
    const before = await documents.blobs();

    const { status, body } = await documents.send('a.txt', 'The house is red.', fields);

    expect([status, body.error.code, body.error.param]).toEqual([409, 'capability_not_supported', param]);
    expect(await documents.blobs()).toBe(before);
  });

  it.each<[what: string, fields: DocumentFields]>([
    ['a region of a target that it serves', { target_language: 'de-AT' }],
    ['the language that they are in', { source_language: 'ja', target_language: 'ja' }],
  ])('are taken for %s', async (_what, fields) => {
    expect((await documents.send('a.txt', 'The house is red.', fields)).status).toBe(202);
  });
});

describe('documents where the preview is off', () => {
  it('are 409 on every path', async () => {
    const gateway = await startGateway();
    const documents = new TranslatedDocuments(gateway.platform, gateway.token);
    const id = 'job_01h45ytscbebyvny4gc8cr8ma2';

    const answers = [await documents.send('a.txt', 'x'), await documents.get(id), await documents.delete(id)];

    for (const { status, body } of answers)
      expect([status, body.error.code]).toEqual([409, 'capability_not_supported']);
    expect((await documents.content(id)).status).toBe(409);
    await gateway.close();
  });
});
