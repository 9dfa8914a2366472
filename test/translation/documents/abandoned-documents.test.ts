import { beforeAll, describe, expect, it } from '@jest/globals';
import { TranslationJobs } from '../../../src/translation/documents/jobs/translation-jobs.js';
import { addSignedInUser } from '../../support/builders/accounts.js';
import { eventually } from '../../support/probes/eventually.js';
import { TranslatedDocuments } from '../../support/builders/translated-documents.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('documents that wait for their turn', () => {
  const gateway = useGateway({ env: { BUILTIN_BACKEND: 'false', PREVIEW_DOCUMENT_TRANSLATION: 'true' } });
  beforeAll(async () => {
    gateway.backend.byDefault = () => ({ ending: 'silent' });
  });

  it('end where their user may not use the platform any more, and say so', async () => {
    const user = await addSignedInUser(gateway.platform);
    const documents = new TranslatedDocuments(gateway.platform, user.token);
    const ids: string[] = [];
    for (let sent = 0; sent < 4; sent += 1) ids.push((await documents.send('a.txt', 'The house is red.')).body.id);
    await eventually('three are with their engine', 20, async () => (await idsOf('processing')).length === 3);
    const [waiting] = await idsOf('queued');

    await gateway.platform.query("UPDATE users SET status = 'suspended' WHERE id = $1", [user.id]);
    await eventually('its job is cancelled', 30, async () => (await cancelledJobs()).includes(waiting as string));
    // By then they may be back.
    await gateway.platform.query("UPDATE users SET status = 'active' WHERE id = $1", [user.id]);
    await endAbandoned();

    const sql = 'SELECT status, error FROM document_translations WHERE id = $1';
    expect(await gateway.platform.query(sql, [waiting])).toEqual([
      { status: 'failed', error: expect.stringContaining('may not use the platform') },
    ]);
    expect(ids).toContain(waiting);
  });

  async function idsOf(status: string): Promise<string[]> {
    const sql = 'SELECT id FROM document_translations WHERE status = $1';
    return (await gateway.platform.query<{ id: string }>(sql, [status])).map(({ id }) => id);
  }

  async function cancelledJobs(): Promise<string[]> {
    const sql = "SELECT data->'payload'->>'documentId' AS id FROM jobs.job WHERE name = $1 AND state = 'cancelled'";
    return (await gateway.platform.query<{ id: string }>(sql, ['translation.document'])).map(({ id }) => id);
  }

  /** Does it as the server does each minute. */
  async function endAbandoned(): Promise<void> {
    const parts = {
      dataSource: gateway.platform.app.database.dataSource,
      blobs: { release: async () => undefined },
      notifier: { changed: () => undefined },
      storageChanged: () => undefined,
    };
    await new TranslationJobs(parts as unknown as ConstructorParameters<typeof TranslationJobs>[0]).endAbandoned();
  }
});
