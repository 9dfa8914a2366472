import type { AnyJson } from '../probes/any-json.js';
import { eventually } from '../probes/eventually.js';
import type { Platform, RestAnswer } from '../servers/platform.js';

const PATH = '/v1/translate/documents';

/** What is sent beside a document. */
export interface DocumentFields {
  readonly target_language?: string;
  readonly [name: string]: string | undefined;
}

/** The documents that a user of a test has translated. */
export class TranslatedDocuments {
  constructor(
    readonly platform: Platform,
    readonly token: string,
  ) {}

  /** Sends a document, into German unless it is told otherwise. */
  send(filename: string, content: string | Uint8Array, fields: DocumentFields = {}): Promise<RestAnswer> {
    const form = new FormData();
    const all = { source_language: 'en', target_language: 'de', ...fields };
    for (const [name, value] of Object.entries(all)) if (value !== undefined) form.append(name, value);
    form.append('file', new Blob([content as string]), filename);
    return this.platform.request('POST', PATH, { token: this.token, body: form });
  }

  get(id: string, token = this.token): Promise<RestAnswer> {
    return this.platform.request('GET', `${PATH}/${id}`, { token });
  }

  delete(id: string, token = this.token): Promise<RestAnswer> {
    return this.platform.request('DELETE', `${PATH}/${id}`, { token });
  }

  /** The translated bytes, or the refusal. */
  content(id: string, token = this.token): Promise<Response> {
    return fetch(`${this.platform.url}${PATH}/${id}/content`, { headers: { authorization: `Bearer ${token}` } });
  }

  async bytes(id: string): Promise<Buffer> {
    const response = await this.content(id);
    if (response.status !== 200) throw new Error(`No content: ${response.status} ${await response.text()}`);
    return Buffer.from(await response.arrayBuffer());
  }

  /** Waits until a document fits. @returns it as it is then */
  async until(id: string, fits: (document: AnyJson) => boolean, seconds = 30): Promise<AnyJson> {
    let document: AnyJson = {};
    await eventually('the document is that far', seconds, async () => {
      document = (await this.get(id)).body;
      return fits(document);
    });
    return document;
  }

  settled(id: string): Promise<AnyJson> {
    return this.until(id, ({ status }) => status === 'completed' || status === 'failed');
  }

  /** Sends a document, and waits until it is completed or has failed. */
  async translate(filename: string, content: string | Uint8Array, fields: DocumentFields = {}): Promise<AnyJson> {
    const { status, body } = await this.send(filename, content, fields);
    if (status !== 202) throw new Error(`Not taken: ${JSON.stringify(body)}`);
    return this.settled(body.id as string);
  }

  /** Waits until nothing is stored of a document. */
  async untilErased(id: string): Promise<void> {
    await eventually('nothing is left of the document', 30, async () => {
      const [left] = await this.platform.query<{ rows: number }>(
        `SELECT ((SELECT count(*) FROM document_translations WHERE id = $1)
         + (SELECT count(*) FROM document_translation_batches WHERE document_id = $1))::integer AS rows`,
        [id],
      );
      return left?.rows === 0;
    });
  }

  /** Rows of blobs that hold a document or its translation. */
  async blobs(): Promise<number> {
    const [row] = await this.platform.query<{ count: number }>(
      "SELECT count(*)::integer FROM blobs WHERE kind IN ('document_to_translate', 'document_translation') AND state <> 'released'",
    );
    return row?.count ?? 0;
  }
}
