import type { AnyJson } from '../support/probes/any-json.js';
import { eventually } from '../support/probes/eventually.js';
import { lifeOf, request } from './client.js';
import type { DocumentToTranslate } from './documents-to-translate.js';
import type { Replica } from './replica.js';

const DOCUMENTS = '/v1/translate/documents';

/** The administrator with one document, at a server that may be started again. */
export class TranslatedDocument {
  private constructor(
    private readonly server: Replica,
    private readonly token: string,
    readonly id: string,
  ) {}

  /**
   * Sends a document until it is taken.
   * @param findLost tells which document was taken where its sender was not told
   */
  static async send(
    server: Replica,
    token: string,
    { filename, bytes }: DocumentToTranslate,
    findLost: () => Promise<string | undefined>,
  ): Promise<TranslatedDocument> {
    const send = async (): Promise<string | undefined> => {
      const form = new FormData();
      form.append('source_language', 'en');
      form.append('target_language', 'de');
      form.append('file', new Blob([bytes as never]), filename);
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(lifeOf(server).origin + DOCUMENTS, { method: 'POST', headers, body: form });
      if (answer.status !== 202) throw new Error(`The document was not taken: ${answer.status} ${await answer.text()}`);
      return ((await answer.json()) as AnyJson).id;
    };
    const id = await send().catch(() => undefined);
    // A server that was killed meanwhile serves again before anybody asks for more.
    const taken =
      id ?? (await eventually('the document is taken', 60, async () => (await findLost()) ?? (await send())));
    return new TranslatedDocument(server, token, taken);
  }

  /** Waits until it is translated. @returns what is told of it, and its bytes */
  async translated(): Promise<{ readonly told: AnyJson; readonly bytes: Buffer }> {
    const told = await eventually('the document is translated', 120, async () => {
      const { body } = await request(lifeOf(this.server), 'GET', `${DOCUMENTS}/${this.id}`, { token: this.token });
      if (body.status === 'completed' || body.status === 'failed') return body as AnyJson;
      throw new Error(`The document is ${JSON.stringify(body)}.`);
    });
    const { id: _id, created_at: _at, ...rest } = told;
    // A server may be killed just then.
    return { told: rest, bytes: await eventually('the document is served', 60, () => this.content()) };
  }

  private async content(): Promise<Buffer> {
    const headers = { authorization: `Bearer ${this.token}` };
    const answer = await fetch(`${lifeOf(this.server).origin}${DOCUMENTS}/${this.id}/content`, { headers });
    if (answer.status !== 200) throw new Error(`There is no document: ${answer.status}`);
    return Buffer.from(await answer.arrayBuffer());
  }
}
