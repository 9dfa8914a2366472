import { randomUUID } from 'node:crypto';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { CallOwner } from '../../access/caller.js';
import type { Models } from '../../inference/domain.js';
import type { PageLayout } from '../layout/layout.types.js';
import type { ExtractionSchema } from '../schema/schema.types.js';
import { formatPath } from '../schema/value-path.js';
import { toModelRequest } from './model-request.js';
import { quotedValuesOf } from './quoted-value.js';
import type { QuotedValue } from './quoted-value.js';

/** Characters of pages in one call: some 6,000 tokens, which models with small windows still take. */
const WINDOW_CHARACTERS = 20_000;
/** Values of a document that are kept. */
const MOST_VALUES = 20_000;

interface ModelReading {
  readonly models: Pick<Models, 'complete'>;
  readonly model: string;
  readonly schema: ExtractionSchema;
  /** For whom the model is called. */
  readonly owner: CallOwner;
  readonly signal: AbortSignal;
}

/** Has a model read the pages of a document, some at a time, as they come. */
export class ModelReader {
  /** What it has told, with words that stand in the document. */
  readonly values: QuotedValue[] = [];
  private window: PageLayout[] = [];
  private characters = 0;
  /** By the path of each array: rows that earlier windows had. */
  private readonly rows = new Map<string, number>();

  private readonly turn: CooperativeYield;

  constructor(private readonly reading: ModelReading) {
    this.turn = new CooperativeYield(reading.signal);
  }

  /** Takes the next page. @throws what the model throws; the reason of the signal */
  async add(page: PageLayout): Promise<void> {
    if (this.characters > 0 && this.characters + page.text.length > WINDOW_CHARACTERS) await this.ask();
    this.window.push(page);
    this.characters += page.text.length;
  }

  /** Reads what is left, when all pages have come. @throws as `add` does */
  async end(): Promise<void> {
    if (this.characters > 0) await this.ask();
  }

  private async ask(): Promise<void> {
    const { models, model, schema, owner, signal } = this.reading;
    const pages = this.window;
    this.window = [];
    this.characters = 0;
    const answer = await models.complete(owner, {
      area: 'documents',
      request: toModelRequest(model, schema, pages),
      context: { signal, serverRequestId: randomUUID() },
    });
    const before = new Map(this.rows);
    for (const value of await quotedValuesOf(answer, pages, this.turn)) {
      if (this.values.length < MOST_VALUES) this.values.push({ ...value, path: this.moved(value.path, before) });
    }
  }

  /** Rows of a window follow those of the windows before. */
  private moved(path: QuotedValue['path'], before: ReadonlyMap<string, number>): QuotedValue['path'] {
    const at = path.findIndex((step) => typeof step === 'number');
    if (at < 0) return path;
    const array = formatPath(path.slice(0, at));
    const row = (before.get(array) ?? 0) + Number(path[at]);
    this.rows.set(array, Math.max(this.rows.get(array) ?? 0, row + 1));
    return [...path.slice(0, at), row, ...path.slice(at + 1)];
  }
}
