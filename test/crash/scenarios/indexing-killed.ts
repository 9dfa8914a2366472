import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { eventually } from '../../support/probes/eventually.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { startScriptedBackend } from '../../support/servers/scripted-backend.js';
import { embeddings } from '../../support/servers/scripted-embedder.js';
import { lifeOf, login, request } from '../client.js';
import { failOn } from '../ledger-check.js';
import type { Replica } from '../replica.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';

const BASES = '/v1/knowledgebases';
const PARAGRAPHS = 1_200;
/** Within this most of what is done is done. */
const LONGEST_LIFE_MS = 2_500;

/** A server that indexes files, and makes vectors of other models, is killed at some point of it. */
export const indexingKilled: Scenario = {
  name: 'indexing killed',
  isSampled: true,
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const models = await startScriptedBackend();
    environment.onClose(() => models.close());
    models.models = ['first', 'second'];
    models.byDefault = (asked) => embeddings(asked);
    const folder = join(environment.folder, 'data');
    const server = environment.replica({ DATA_DIR: folder, OPENAI_BASE_URL: models.url });
    await server.start();
    const client = new Client(server, await login(server));
    const rounds = Math.ceil(environment.rounds / 3);
    const bases: string[] = [await client.addBase()];
    await client.addFile(bases[0] ?? '', 'undisturbed.txt');
    await client.ready(bases[0] ?? '');
    for (let round = 0; round < rounds; round += 1) {
      const base = await client.addBase();
      bases.push(base);
      await client.addFile(base, `round-${round}.txt`);
      await killAndStart(server, environment.random.between(0, LONGEST_LIFE_MS));
      await client.ready(base);
      await client.send('PATCH', `/${base}`, { embedding_model: 'second' });
      await killAndStart(server, environment.random.between(0, LONGEST_LIFE_MS));
      await client.ready(base);
    }
    await eventually('what was replaced is gone', 60, async () => (await client.openJobs()) === 0);
    await server.stop();
    const chunks = await checkChunks(join(folder, 'postgres'), bases);
    return { rounds, kills: 2 * rounds, chunks };
  },
};

async function killAndStart(server: Replica, after: number): Promise<void> {
  await sleep(after);
  await server.kill();
  await server.start();
}

/** The administrator at a server that may have been started again. */
class Client {
  constructor(
    private readonly server: Replica,
    private readonly token: string,
  ) {}

  async send(method: string, path: string, body?: object): Promise<AnyJson> {
    const answer = await request(lifeOf(this.server), method, BASES + path, { token: this.token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path} was ${JSON.stringify(answer)}`);
    return answer.body;
  }

  async addBase(): Promise<string> {
    return (await this.send('POST', '', { name: 'Crash', embedding_model: 'first' })).id;
  }

  /** The same text each time, so that its passages can be compared. */
  async addFile(base: string, name: string): Promise<void> {
    const text = Array.from({ length: PARAGRAPHS }, (_, at) => `Paragraph ${at} is about ${'word '.repeat(40)}${at}.`);
    const form = new FormData();
    form.append('file', new Blob([text.join('\n\n')]), name);
    const response = await fetch(`${lifeOf(this.server).origin}${BASES}/${base}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}` },
      body: form,
    });
    if (response.status !== 202) throw new Error(`The file was not taken: ${response.status}`);
    await response.arrayBuffer();
  }

  /** Waits until all files of a base are searched, by the vectors of its model. */
  async ready(base: string): Promise<void> {
    await eventually('the base is whole', 120, async () => {
      const { reindex_progress: progress } = await this.send('GET', `/${base}`);
      const { data } = await this.send('GET', `/${base}/files`);
      return progress === null && data.every(({ status }: AnyJson) => status === 'ready');
    });
  }

  async openJobs(): Promise<number> {
    const path = '/v1/admin/jobs?limit=100';
    const { body } = await request(lifeOf(this.server), 'GET', path, { token: this.token });
    return body.data.filter(({ status }: AnyJson) => ['waiting', 'running', 'retrying'].includes(status)).length;
  }
}

/** Compares the passages of all bases with those of the first, which nobody has disturbed. @returns how many each has */
async function checkChunks(folder: string, bases: readonly string[]): Promise<number> {
  const database = await PGlite.create(folder, { extensions: { vector } });
  try {
    const tables = await database.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE tablename LIKE 'knowledge\\_vectors\\_%'",
    );
    if (tables.rows.length !== bases.length) throw new Error(`There are ${tables.rows.length} tables of vectors.`);
    const vectors = tables.rows.map(({ name }) => `SELECT chunk_id FROM ${name}`).join(' UNION ALL ');
    const { rows } = await database.query<{ base: string; indexes: number; chunks: string; vectors: number }>(
      `SELECT i.base_id AS base, count(DISTINCT i.id)::integer AS indexes, count(v.chunk_id)::integer AS vectors,
         string_agg(c.position || ' ' || c.start_at || ' ' || c.hash, ',' ORDER BY c.position) AS chunks
       FROM knowledge_indexes i JOIN knowledge_chunks c ON c.index_id = i.id
       LEFT JOIN (${vectors}) v ON v.chunk_id = c.id GROUP BY i.base_id`,
    );
    const expected = rows.find(({ base }) => base === bases[0]);
    const count = expected?.chunks.split(',').length ?? 0;
    const wrong = rows.filter(
      ({ chunks, indexes, vectors }) => chunks !== expected?.chunks || indexes !== 1 || vectors !== count,
    );
    failOn(wrong.map(({ base, indexes, vectors }) => `${base} has ${indexes} indexes, ${vectors} vectors of ${count}`));
    if (rows.length !== bases.length || count < 100)
      throw new Error(`There are ${rows.length} bases, ${count} passages.`);
    return count;
  } finally {
    await database.close();
  }
}
