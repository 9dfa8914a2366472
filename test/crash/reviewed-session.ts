import { eventually } from '../support/probes/eventually.js';
import type { AnyJson } from '../support/probes/any-json.js';
import { lifeOf, request } from './client.js';
import type { Replica } from './replica.js';

const SESSIONS = '/v1/document-analyzer/sessions';
const ROWS = 400;
const MOST_ITEMS = 1_000;
const number = { type: 'number' };
/** Nothing is sure enough, and no document has an order number. */
const SESSION = {
  name: 'Crash',
  review_threshold: 1,
  schema: {
    type: 'object',
    required: ['purchase_order'],
    properties: {
      number: { type: 'string', title: 'Invoice number' },
      purchase_order: { type: 'string', title: 'Purchase order' },
      line_items: {
        type: 'array',
        items: { type: 'object', properties: { quantity: number, unit_price: number, amount: number } },
      },
    },
  },
};
/** What is sent into each session: two that can be read, and one that cannot. */
const FILES: Readonly<Record<string, string>> = {
  'first.html': invoice('INV-1', 12.5),
  'second.html': invoice('INV-2', 7.25),
  'torn.pdf': '%PDF-1.7\n1 0 obj\n<<',
};

/** The administrator with one session, at a server that may be started again. */
export class ReviewedSession {
  private constructor(
    private readonly server: Replica,
    private readonly token: string,
    readonly id: string,
  ) {}

  static async open(server: Replica, token: string): Promise<ReviewedSession> {
    const { status, body } = await request(lifeOf(server), 'POST', SESSIONS, { token, body: SESSION });
    if (status !== 201) throw new Error(`There is no session: ${JSON.stringify(body)}`);
    return new ReviewedSession(server, token, body.id);
  }

  /** @throws Error where the answer says no, or there is none */
  async send(method: string, path = '', body?: object): Promise<AnyJson> {
    const answer = await request(lifeOf(this.server), method, `${SESSIONS}/${this.id}${path}`, {
      token: this.token,
      body,
    });
    if (answer.status >= 300) throw new Error(`${method} ${path} was ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async upload(): Promise<void> {
    const form = new FormData();
    for (const [name, text] of Object.entries(FILES)) form.append('file', new Blob([text]), name);
    const response = await fetch(`${lifeOf(this.server).origin}${SESSIONS}/${this.id}/documents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}` },
      body: form,
    });
    await response.arrayBuffer();
    if (response.status !== 202) throw new Error(`The documents were not taken: ${response.status}`);
  }

  async documents(): Promise<AnyJson[]> {
    return (await this.send('GET', '/documents')).data;
  }

  /** Waits until each document is ready or has failed. */
  async untilRead(): Promise<AnyJson[]> {
    return eventually('the documents are read', 120, async () => {
      const documents = await this.documents();
      return documents.every(({ status }) => status === 'ready' || status === 'failed') && documents;
    });
  }

  /** Has those read once more that are not being read. */
  async reprocess(): Promise<void> {
    for (const { id, status } of await this.documents()) {
      if (status === 'ready' || status === 'failed') await this.send('POST', `/documents/${id}/reprocess`, {});
    }
  }

  /** The items that wait, or had to. */
  async items(query = ''): Promise<AnyJson[]> {
    const items: AnyJson[] = [];
    for (let after = ''; ;) {
      const page = await this.send('GET', `/review?limit=100${query}${after}`);
      items.push(...page.data);
      if (!page.has_more) return items;
      after = `&after=${page.last_id ?? page.next_cursor}`;
    }
  }

  /** Says something of each item, as many in one request as may be. */
  async resolveInBulk(items: readonly object[]): Promise<void> {
    for (let first = 0; first < items.length; first += MOST_ITEMS) {
      const some = items.slice(first, first + MOST_ITEMS);
      const { resolved, failed } = await this.send('POST', '/review/bulk-resolve', { items: some });
      if (resolved !== some.length) throw new Error(`${resolved} of ${some.length}: ${JSON.stringify(failed[0])}`);
    }
  }
}

function invoice(name: string, price: number): string {
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const quantity = (at % 9) + 1;
    return [`Part ${at}`, quantity, price.toFixed(2), (quantity * price).toFixed(2)];
  });
  const lines = [['Description', 'Quantity', 'Unit price', 'Amount'], ...rows].map(
    (row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
  );
  return `<p>Invoice number: ${name}</p><table>${lines.join('\n')}</table>`;
}
