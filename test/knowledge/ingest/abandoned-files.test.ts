import { beforeAll, describe, expect, it } from '@jest/globals';
import { IngestJobs } from '../../../src/knowledge/ingest/ingest-jobs.js';
import { eventually } from '../../support/probes/eventually.js';
import { HANDBOOK, KnowledgeProbe } from '../../support/builders/knowledge.js';
import { usePlatform } from '../../support/servers/use-servers.js';

describe('a file of a knowledge base', () => {
  const platform = usePlatform();
  let base: KnowledgeProbe;
  beforeAll(async () => {
    base = await KnowledgeProbe.create(platform, (await platform.login()).access_token);
  });

  it('has failed where no job is left that would read it, and is read when somebody asks for that', async () => {
    const [file] = await base.index({ 'handbook.md': HANDBOOK });
    await platform.query("UPDATE knowledge_files SET status = 'processing' WHERE id = $1", [file?.id]);

    const told: string[] = [];
    // Its job is over a moment after it was read.
    await eventually('it is told', 10, async () => told.push(...(await endAbandoned())) > 0);
    const { body: abandoned } = await base.request('GET', `/files/${file?.id}`);
    await base.request('POST', `/files/${file?.id}/retry`);

    expect(told).toEqual([file?.id]);
    expect(abandoned).toMatchObject({ status: 'failed', error: expect.stringContaining('The server failed') });
    expect(await base.settled(file?.id as string)).toMatchObject({ status: 'ready', chunk_count: 2 });
  });

  it('has not where it waits for its turn, or is being read', async () => {
    const { body } = await base.send(
      Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`${at}.md`, HANDBOOK + at])),
    );
    const ids = (body.data as { id: string }[]).map(({ id }) => id);
    const settling = Promise.all(ids.map((id) => base.settled(id)));
    let isOver = false;
    settling.then(
      () => (isOver = true),
      () => (isOver = true),
    );

    const told: string[] = [];
    while (!isOver) told.push(...(await endAbandoned()));

    expect((await settling).map(({ status }) => status)).toEqual(ids.map(() => 'ready'));
    expect(told).toEqual([]);
  });

  /** Does it as the server does each minute. @returns the ids of those whose watchers are told */
  async function endAbandoned(): Promise<string[]> {
    const told: string[] = [];
    const { dataSource } = platform.app.database;
    const parts = { dataSource, changed: ({ id }: { id: string }) => void told.push(id) };
    await new IngestJobs(parts as unknown as ConstructorParameters<typeof IngestJobs>[0]).endAbandoned();
    return told;
  }
});
