import { eventually } from '../probes/eventually.js';
import type { AnyJson } from '../probes/any-json.js';
import type { Platform, RestAnswer } from '../servers/platform.js';

/** A document with two sections. */
export const HANDBOOK = `# Handbook

## Lunch

The canteen serves lunch from noon until two. Guests pay 7.20 euros.

## Holidays

Every employee has thirty days of holidays a year. Ask your team leader four weeks before.
`;

const STATUS = 'SELECT status FROM knowledge_files WHERE id = $1';

/** A knowledge base of a test, as one user sees it. */
export class KnowledgeProbe {
  private constructor(
    private readonly platform: Platform,
    readonly token: string,
    readonly id: string,
  ) {}

  static async create(platform: Platform, token: string, body: object = {}): Promise<KnowledgeProbe> {
    const answer = await platform.request('POST', '/v1/knowledgebases', { token, body: { name: 'Test', ...body } });
    if (answer.status !== 201) throw new Error(`No knowledge base: ${JSON.stringify(answer.body)}`);
    return new KnowledgeProbe(platform, token, answer.body.id as string);
  }

  /** The same base, as somebody else sees it. */
  as(token: string): KnowledgeProbe {
    return new KnowledgeProbe(this.platform, token, this.id);
  }

  request(method: string, path = '', body?: unknown, headers?: Record<string, string>): Promise<RestAnswer> {
    return this.platform.request(method, `/v1/knowledgebases/${this.id}${path}`, { token: this.token, body, headers });
  }

  /** Sends files by their names, in one request. */
  send(files: Readonly<Record<string, string | Uint8Array>>, metadata?: object, headers?: Record<string, string>) {
    const form = new FormData();
    for (const [name, content] of Object.entries(files)) form.append('file', new Blob([content as string]), name);
    if (metadata) form.append('metadata', JSON.stringify(metadata));
    return this.request('POST', '/files', form, headers);
  }

  /** Sends files, and waits until each is `ready` or has `failed`. @returns them as they are then */
  async index(files: Readonly<Record<string, string | Uint8Array>>, metadata?: object): Promise<AnyJson[]> {
    const { status, body } = await this.send(files, metadata);
    if (status !== 202) throw new Error(`Not taken: ${JSON.stringify(body)}`);
    return Promise.all((body.data as AnyJson[]).map(({ id }) => this.settled(id as string)));
  }

  /** A file, when it is `ready` or has `failed`. */
  async settled(id: string): Promise<AnyJson> {
    // The database is asked, since a request takes ten times as much.
    await eventually('the file is read', 30, async () => {
      const [row] = await this.platform.query<{ status: string }>(STATUS, [id]);
      return row?.status === 'ready' || row?.status === 'failed';
    });
    return (await this.request('GET', `/files/${id}`)).body;
  }

  /** What a query finds. */
  async query(query: string, options: object = {}): Promise<AnyJson[]> {
    const { status, body } = await this.request('POST', '/query', { query, ...options });
    if (status !== 200) throw new Error(`No answer: ${JSON.stringify(body)}`);
    return body.data as AnyJson[];
  }
}
