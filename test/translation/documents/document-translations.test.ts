import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInUser, addTenant } from '../../support/builders/accounts.js';
import { makeJobsDue } from '../../support/builders/due-jobs.js';
import { entriesOf, shown, unitsOf } from '../../support/builders/documents/rewritten.js';
import { richWordDocument } from '../../support/builders/documents/rich-office-documents.js';
import { startGateway } from '../../support/servers/gateway.js';
import type { Gateway } from '../../support/servers/gateway.js';
import { sseClient } from '../../support/builders/graphql-clients.js';
import { eventually } from '../../support/probes/eventually.js';
import { auditRows } from '../../support/probes/audit-rows.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { TranslatedDocuments } from '../../support/builders/translated-documents.js';
import { heldUntil } from '../../support/servers/scripted-backend.js';
import { textsOf, toGerman, translating } from '../../support/builders/translating-model.js';
import { docx } from '../../../src/translation/documents/office/office.js';

describe('documents that are translated', () => {
  let gateway: Gateway;
  let documents: TranslatedDocuments;

  beforeAll(async () => {
    const env = { BUILTIN_BACKEND: 'false', PREVIEW_DOCUMENT_TRANSLATION: 'true', ...service.env };
    gateway = await startGateway({ env });
    documents = new TranslatedDocuments(gateway.platform, gateway.token);
  });
  afterAll(() => gateway.close());
  afterEach(() => gateway.backend.reset());

  it('come back in their format, with other words in the place of theirs', async () => {
    gateway.backend.byDefault = translating(toGerman);
    const file = await richWordDocument();

    const sent = await documents.send('manual.docx', file);
    const document = await documents.settled(sent.body.id as string);
    const bytes = await documents.bytes(document.id as string);

    expect(sent.status).toBe(202);
    expect(sent.body).toEqual({
      id: expect.stringMatching(/^job_/),
      object: 'translation.document',
      status: 'queued',
      filename: 'manual.docx',
      source_language: 'en',
      target_language: 'de',
      progress: 0,
      units: null,
      warnings: [],
      error: null,
      created_at: expect.any(Number),
    });
    expect(document).toMatchObject({ status: 'completed', progress: 1, warnings: [], error: null });
    const units = (await unitsOf(docx, bytes)).map(shown);
    expect(units).toHaveLength(document.units as number);
    expect(units).toContain(
      `${toGerman('Read the')} <1>${toGerman('whole')}</1> ${toGerman('manual at')} <2>${toGerman('our site')}</2> ${toGerman('before use')}<3/>.`,
    );
    expect([...(await entriesOf(bytes)).keys()]).toEqual([...(await entriesOf(file)).keys()]);
  });

  it('say of how many texts they keep the source, since nothing unchecked is written', async () => {
    gateway.backend.byDefault = translating((text) =>
      text.includes('river') ? 'I cannot help with that.' : toGerman(text),
    );

    const { id, warnings } = await documents.translate('a.txt', 'The house is red.\n\nThe river is blue.\n');

    expect(warnings).toEqual([expect.stringContaining('(1 text).')]);
    expect((await documents.bytes(id as string)).toString()).toBe(
      `${toGerman('The house is red.')}\n\nThe river is blue.\n`,
    );
  });

  it('go on where they were when the model was away, and ask for nothing twice', async () => {
    const content = linesOf(900);
    const first = new Set(linesOf(300).split('\n'));
    const answer = translating(toGerman);
    const asked: string[] = [];
    const gate = Promise.withResolvers<void>();
    gateway.backend.byDefault = (request) => {
      const texts = Object.values(textsOf(request));
      // It goes away when something is stored: what is in flight then is asked for again.
      if (!texts.every((text) => first.has(text))) return heldUntil(gate.promise, { status: 503, pieces: ['{}'] });
      asked.push(...texts);
      return answer(request);
    };

    const { body } = await documents.send('a.txt', content);
    const id = body.id as string;
    await documents.until(id, ({ progress }) => Number(progress) > 0);
    gate.resolve();
    const waiting = await documents.until(id, ({ status, error }) => status === 'queued' && error !== null);
    const [{ done } = { done: 0 }] = await gateway.platform.query<{ done: number }>(
      'SELECT done_units AS done FROM document_translations WHERE id = $1',
      [id],
    );
    gateway.backend.byDefault = (request) => {
      asked.push(...Object.values(textsOf(request)));
      return answer(request);
    };
    await makeJobsDue(gateway.platform, 'translation.document');
    const document = await documents.settled(id);

    expect(waiting.progress).toBeGreaterThan(0);
    expect(document).toMatchObject({ status: 'completed', units: 900, progress: 1 });
    // What was not stored was in flight: eight batches of 32 at most.
    expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(256);
    expect(new Set(asked).size).toBe(900);
    expect(done).toBeGreaterThan(0);
    expect((await documents.bytes(id)).toString()).toBe(toGerman(content));
  });

  it('tell of their progress', async () => {
    gateway.backend.byDefault = translating(toGerman);
    const { body } = await documents.send('a.txt', linesOf(300));
    const client = sseClient({ url: gateway.platform.url, token: gateway.token });

    const told: number[] = [];
    const query = `subscription { documentTranslationUpdated(id: "${body.id}") { status progress } }`;
    for await (const { data } of client.iterate({ query })) {
      const { status, progress } = (data as never)['documentTranslationUpdated'] as {
        status: string;
        progress: number;
      };
      told.push(progress);
      if (status === 'completed') break;
    }
    client.dispose();

    expect(told.at(-1)).toBe(1);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
  });

  it('are of nobody but whoever sent them', async () => {
    gateway.backend.byDefault = translating(toGerman);
    const { id } = await documents.translate('a.txt', 'The house is red.\n');
    const [mate, stranger] = [
      await addSignedInUser(gateway.platform),
      await addSignedInUser(gateway.platform, await addTenant(gateway.platform)),
    ];

    for (const { token } of [mate, stranger]) {
      expect((await documents.get(id as string, token)).status).toBe(404);
      expect((await documents.content(id as string, token)).status).toBe(404);
      expect((await documents.delete(id as string, token)).status).toBe(404);
    }
    expect((await documents.get(id as string)).status).toBe(200);
  });

  it('are deleted with all that was stored of them, also while they are translated', async () => {
    const gate = Promise.withResolvers<void>();
    const own = new TranslatedDocuments(gateway.platform, (await addSignedInUser(gateway.platform)).token);
    const before = await own.blobs();
    gateway.backend.byDefault = () => ({ pieces: [gate.promise] });
    const { body } = await own.send('a.txt', linesOf(250));
    const id = body.id as string;
    await own.until(id, ({ units }) => units === 250);

    const { status } = await own.delete(id);

    expect(status).toBe(204);
    expect((await own.get(id)).status).toBe(404);
    await own.untilErased(id);
    expect(await own.blobs()).toBe(before);
    gate.resolve();
    const [entry] = await auditRows(gateway.platform, "action = 'document_translation.delete' AND target_id = $1", [
      id,
    ]);
    expect(entry).toMatchObject({ outcome: 'success' });
  });

  it('end soon when their user may not use the platform any more', async () => {
    const gate = Promise.withResolvers<void>();
    const user = await addSignedInUser(gateway.platform);
    const own = new TranslatedDocuments(gateway.platform, user.token);
    gateway.backend.byDefault = () => ({ pieces: [gate.promise] });
    const { body } = await own.send('a.txt', linesOf(250));
    const id = body.id as string;
    await own.until(id, ({ units }) => units === 250);

    await gateway.platform.query("UPDATE users SET status = 'suspended' WHERE id = $1", [user.id]);

    const found = await eventually('the document has failed', 10, async () => {
      const sql = 'SELECT status, error FROM document_translations WHERE id = $1';
      const [row] = await gateway.platform.query<{ status: string; error: string }>(sql, [id]);
      return row?.status === 'failed' && row;
    });
    expect(found.error).toContain('may not use the platform');
    gate.resolve();
  });

  it('are deleted with their user, and seven days after they are done', async () => {
    gateway.backend.byDefault = translating(toGerman);
    const user = await addSignedInUser(gateway.platform);
    const own = new TranslatedDocuments(gateway.platform, user.token);
    const before = await own.blobs();
    const [first, second] = [
      await own.translate('a.txt', 'The house is red.\n'),
      await documents.translate('a.txt', 'The house is red.\n'),
    ];

    await gateway.platform.request('DELETE', `/v1/auth/users/${user.id}`, { token: service.key });
    await gateway.platform.query(
      "UPDATE document_translations SET finished_at = finished_at - interval '7 days' WHERE id = $1",
      [second.id],
    );
    await gateway.platform.runTask('deleting what is left of document translations');

    await own.untilErased(first.id as string);
    await own.untilErased(second.id as string);
    expect(await own.blobs()).toBe(before);
  });

  it('leave no readable text in the database while they are translated, and none at all when they are done', async () => {
    const gate = Promise.withResolvers<void>();
    gateway.backend.byDefault = (request) => ({
      pieces: (async function* () {
        await gate.promise;
        yield* translating(toGerman)(request).pieces as string[];
      })(),
    });
    const { body } = await documents.send('a.txt', 'The secret garden.\n');
    await documents.until(body.id as string, ({ units }) => units === 1);

    const rows = await gateway.platform.query<{ content_sealed: Buffer }>(
      'SELECT * FROM document_translation_batches WHERE document_id = $1',
      [body.id],
    );
    gate.resolve();
    await documents.settled(body.id as string);

    expect(rows).toHaveLength(1);
    expect(Buffer.from(rows[0]?.content_sealed ?? []).toString('latin1')).not.toContain('secret');
    await gateway.platform.query('SELECT 1');
    expect(gateway.platform.logLines.join('')).not.toContain('secret garden');
  });
});

const service = newServiceKey();

const words = ['house', 'river', 'table', 'window', 'garden', 'bridge', 'mountain', 'letter', 'summer', 'winter'];

/** Lines of which no two are equal. */
const linesOf = (count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const [one, two, three] = [
      words[index % 10],
      words[Math.floor(index / 10) % 10],
      words[Math.floor(index / 100) % 10],
    ];
    return `The ${one} stands before the ${two} and behind the ${three}.`;
  }).join('\n\n');
