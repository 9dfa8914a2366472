import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ReadDocument } from '../../src/documents/files/document-reader.js';
import { ReadingJobs } from '../../src/documents/files/reading-jobs.js';
import { ExtractionFailed } from '../../src/platform/extraction/extraction-failed.js';
import type { Job } from '../../src/platform/jobs/job.types.js';
import { eventually } from '../support/probes/eventually.js';
import { addSignedInUser } from '../support/builders/accounts.js';
import type { AnyJson } from '../support/probes/any-json.js';
import { AuditChainProbe } from '../support/probes/audit-chain.js';
import { auditRows } from '../support/probes/audit-rows.js';
import { DocumentProbe, INVOICE, INVOICE_SCHEMA } from '../support/builders/documents.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('two jobs that read a document by the same run', () => {
  const platform = usePlatform();
  let session: DocumentProbe;
  let document: AnyJson;
  let probe: AuditChainProbe;
  beforeEach(begin);

  it('end it once where the other has read it before one begins', async () => {
    await read({ permits: () => read().then(() => true) });

    expect(await stateOf()).toEqual(ONCE);
  });

  it.each([
    ['fails', new ExtractionFailed('malformed')],
    ['has to wait', new ExtractionFailed('interrupted')],
  ])('end it once where one %s when the other has read it', async (_what, error) => {
    await read({ reader: { read: () => read().then(() => Promise.reject(error)) } });

    expect(await stateOf()).toEqual(ONCE);
  });

  it('end it without one where none is left, and what was read before is there', async () => {
    await platform.query('UPDATE documents SET read_run = 1 WHERE id = $1', [document.id]);

    // The job that has read it may still be about to end.
    await eventually('nothing is left to read it', 10, async () => {
      await jobsWith().endAbandoned();
      return isDeepStrictEqual(await stateOf(), ONCE);
    });

    const { body } = await session.request('GET', `/documents/${document.id}`);
    expect(body.error).toContain('The server failed');
  });

  it('complete the session where nothing waits, as the server’s own doing', async () => {
    await platform.query("UPDATE document_values SET status = 'extracted' WHERE document_id = $1", [document.id]);

    await read();

    const entries = await auditRows(platform, "action = 'document_session.complete' AND target_id = $1", [session.id]);
    expect((await session.get()).body.status).toBe('completed');
    expect(entries).toMatchObject([{ actor_type: 'system', outcome: 'success' }]);
  });

  async function begin(): Promise<void> {
    session = await DocumentProbe.create(platform, (await addSignedInUser(platform)).token, { schema: INVOICE_SCHEMA });
    [document] = await session.read({ 'a.txt': INVOICE });
    await makeUnread();
    probe = await AuditChainProbe.open(platform, session.id, session.token);
  }

  function jobsWith(parts: Partial<ConstructorParameters<typeof ReadingJobs>[0]> = {}): ReadingJobs {
    const { dataSource } = platform.app.database;
    return new ReadingJobs({
      dataSource,
      audit: probe.recorder,
      jobs: { enqueue: async () => 'job_1' },
      reader: { read: async () => NOTHING },
      permits: async () => true,
      changed: () => undefined,
      ...parts,
    });
  }

  /** Does a job of the document. @param parts in place of what reads nothing, for everybody */
  async function read(parts: Partial<ConstructorParameters<typeof ReadingJobs>[0]> = {}): Promise<void> {
    const { dataSource } = platform.app.database;
    const jobs = jobsWith(parts);
    const job: Partial<Job> = {
      id: 'job_1',
      payload: { documentId: document.id, run: 1, userId: 'usr_1', waits: 0 },
      attempt: 1,
      signal: new AbortController().signal,
      requireFile: async () => undefined,
      transaction: (work) => dataSource.transaction(work),
    };
    await jobs.handler.run(job as Job);
  }

  async function makeUnread(): Promise<void> {
    await platform.query("UPDATE documents SET status = 'queued', read_run = 0 WHERE id = $1", [document.id]);
    await platform.query('UPDATE document_sessions SET unfinished_count = 1, pending_count = 0 WHERE id = $1', [
      session.id,
    ]);
  }

  async function stateOf(): Promise<unknown> {
    const [state] = await platform.query(
      `SELECT d.status, unfinished_count AS unfinished, failed_count AS failed, pending_count AS pending
       FROM document_sessions s JOIN documents d ON d.session_id = s.id WHERE s.id = $1`,
      [session.id],
    );
    return state;
  }
});

const NOTHING: ReadDocument = { values: [], pages: null, pagesFailed: [], warnings: [] };
/** One value waited when the document was read, and still does. */
const ONCE = { status: 'ready', unfinished: 0, failed: 0, pending: 1 };
