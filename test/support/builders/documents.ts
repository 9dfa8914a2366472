import { eventually } from '../probes/eventually.js';
import type { AnyJson } from '../probes/any-json.js';
import type { Platform, RestAnswer } from '../servers/platform.js';

/** What is read from invoices. */
export const INVOICE_SCHEMA = {
  type: 'object',
  required: ['number', 'purchase_order'],
  properties: {
    number: { type: 'string', title: 'Invoice number' },
    date: { type: 'string', format: 'date', title: 'Invoice date' },
    total: { type: 'number', title: 'Total' },
    purchase_order: { type: 'string', title: 'Purchase order' },
  },
};

/** An invoice that names no purchase order. */
export const INVOICE = `Northwind Ltd.

Invoice number: INV-2024-0042
Invoice date: 17 May 2024

Net 1,000.00
VAT 20 % 200.00
Total: 1,200.00 EUR
`;

/** A session of documents of a test, as one user sees it. */
export class DocumentProbe {
  private constructor(
    private readonly platform: Platform,
    readonly token: string,
    readonly id: string,
  ) {}

  static async create(platform: Platform, token: string, body: object): Promise<DocumentProbe> {
    const answer = await platform.as(token).post('/v1/document-analyzer/sessions', { name: 'Test', ...body });
    if (answer.status !== 201) throw new Error(`No session: ${JSON.stringify(answer.body)}`);
    return new DocumentProbe(platform, token, answer.body.id as string);
  }

  /** The same session, as somebody else sees it. @param platform the replica that is asked */
  as(token: string, platform: Platform = this.platform): DocumentProbe {
    return new DocumentProbe(platform, token, this.id);
  }

  request(method: string, path = '', body?: unknown, headers?: Record<string, string>): Promise<RestAnswer> {
    const { platform, token, id } = this;
    return platform.request(method, `/v1/document-analyzer/sessions/${id}${path}`, { token, body, headers });
  }

  get(): Promise<RestAnswer> {
    return this.request('GET');
  }

  review(query = ''): Promise<RestAnswer> {
    return this.request('GET', `/review${query}`);
  }

  resolve(itemId: string, body: object, headers?: Record<string, string>): Promise<RestAnswer> {
    return this.request('POST', `/review/${itemId}/resolve`, body, headers);
  }

  /** An answer that is no JSON. */
  fetch(path: string): Promise<Response> {
    const { platform, token, id } = this;
    const headers = { authorization: `Bearer ${token}` };
    return fetch(`${platform.url}/v1/document-analyzer/sessions/${id}${path}`, { headers });
  }

  /** Waits until nothing is left of the session. */
  async untilErased(): Promise<void> {
    const { platform, id } = this;
    await eventually('nothing is left of the session', 15, async () => {
      const [left] = await platform.query<{ rows: number }>(
        `SELECT ((SELECT count(*) FROM document_sessions WHERE id = $1) + (SELECT count(*) FROM documents WHERE session_id = $1)
         + (SELECT count(*) FROM document_values WHERE session_id = $1))::integer AS rows`,
        [id],
      );
      return left?.rows === 0;
    });
  }

  /** Waits until nothing in the session tells of a user any more. */
  async untilForgotten(userId: string): Promise<void> {
    const { platform, id } = this;
    await eventually('nothing tells of the user', 15, async () => {
      const [left] = await platform.query<{ rows: number }>(
        `SELECT ((SELECT count(*) FROM documents WHERE session_id = $1 AND owner_id = $2) + (SELECT count(*)
           FROM document_values WHERE session_id = $1 AND $2 IN (resolved_by, claimed_by)))::integer AS rows`,
        [id, userId],
      );
      return left?.rows === 0;
    });
  }

  /** Sends files by their names, in one request. */
  send(files: Readonly<Record<string, string | Uint8Array>>, headers?: Record<string, string>): Promise<RestAnswer> {
    const form = new FormData();
    for (const [name, content] of Object.entries(files)) form.append('file', new Blob([content as string]), name);
    return this.request('POST', '/documents', form, headers);
  }

  /** Sends files, and waits until each is `ready` or has `failed`. @returns them as they are then */
  async read(files: Readonly<Record<string, string | Uint8Array>>): Promise<AnyJson[]> {
    const { status, body } = await this.send(files);
    if (status !== 202) throw new Error(`Not taken: ${JSON.stringify(body)}`);
    return Promise.all((body.data as AnyJson[]).map(({ id }) => this.settled(id as string)));
  }

  /** A document, when it is `ready` or has `failed`. */
  async settled(id: string): Promise<AnyJson> {
    // The database is asked, since a request takes ten times as much.
    await eventually('the document is read', 30, async () => {
      const [row] = await this.platform.query<{ status: string }>('SELECT status FROM documents WHERE id = $1', [id]);
      return row?.status === 'ready' || row?.status === 'failed';
    });
    return (await this.request('GET', `/documents/${id}`)).body;
  }
}
