import { Readable } from 'node:stream';
import type { CallOwner } from '../../access/caller.js';
import { Conflict, NotFound } from '../../errors.js';
import type { Models } from '../../inference/domain.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { Blobs } from '../../platform/blobs/blobs.js';
import type { Extractor } from '../../platform/extraction/extractor.js';
import { ReadingNotes } from '../../platform/extraction/reading-notes.js';
import { confidenceOf } from '../confidence/confidence.js';
import { layOutPage } from '../layout/page-layout.js';
import type { PageLayout } from '../layout/layout.types.js';
import type { ValueExtractor, ValueOrigin } from '../review/document-value.entity.js';
import { combineValues } from '../model/combine-values.js';
import type { FoundValue, ModelValue } from '../model/combine-values.js';
import { ModelReader } from '../model/model-reader.js';
import { provenValue } from '../model/proven-value.js';
import type { QuotedValue } from '../model/quoted-value.js';
import { TargetFinder } from '../model/target-finder.js';
import type { Conventions } from '../rules/conventions.js';
import { readByRules } from '../rules/extract-by-rules.js';
import type { Proposal } from '../rules/rules.types.js';
import { parseSchema } from '../schema/schema-parser.js';
import type { ExtractionSchema } from '../schema/schema.types.js';
import { formatPath, parsePath } from '../schema/value-path.js';
import type { DocumentSession } from '../sessions/document-session.entity.js';
import { listFields } from './field-list.js';
import type { Document } from './document.entity.js';

const MOST_VALUES = 20_000;

/** A value of a document, as it was read. */
export interface ReadValue {
  /** Such as `line_items[3].amount`. */
  readonly path: string;
  /** Null: nothing was found, or nothing proves it. */
  readonly proposedValue: unknown;
  readonly confidence: number;
  readonly quote: string | null;
  readonly page: number | null;
  readonly bbox: readonly number[] | null;
  readonly origin: ValueOrigin | null;
  readonly extractor: ValueExtractor | null;
  readonly reason: string | null;
  /** Whether a person is asked however sure it is: it is required and missing, or a check has failed. */
  readonly isDoubtful: boolean;
}

/** What was read of a document. */
export interface ReadDocument {
  readonly values: readonly ReadValue[];
  readonly pages: number | null;
  readonly pagesFailed: readonly number[];
  readonly warnings: readonly string[];
}

/** What is to be read, and for whom. */
export interface ReadingTask {
  readonly document: Document;
  readonly session: DocumentSession;
  /** For whom the model is called. */
  readonly owner: CallOwner;
  readonly signal: AbortSignal;
}

interface DocumentReaderParts {
  readonly blobs: Pick<Blobs, 'open'>;
  readonly extractor: Pick<Extractor, 'extract'>;
  readonly models: Pick<Models, 'complete'>;
}

/** Reads the fields of a schema in a document, each with the words that prove it. */
export class DocumentReader {
  constructor(private readonly parts: DocumentReaderParts) {}

  /**
   * @throws ExtractionFailed; what the model throws; Conflict where there is too much in it; Unavailable; the reason of the
   * signal
   */
  async read({ document, session, owner, signal }: ReadingTask): Promise<ReadDocument> {
    const { blobs, extractor, models } = this.parts;
    const schema = parseSchema(session.schema);
    const bytes = await blobs.open(document.blobKey, { signal });
    if (!bytes) throw new NotFound('The bytes of the document are gone.');
    const { model } = document;
    const reader = model === null ? undefined : new ModelReader({ models, model, schema, owner, signal });
    const notes = new ReadingNotes();
    let pages: number | null = null;
    const layouts = async function* (): AsyncGenerator<PageLayout> {
      for await (const page of extractor.extract(Readable.from(bytes), { kind: document.kind, signal })) {
        if (page.number !== undefined) pages = Math.max(pages ?? 0, page.number);
        notes.note(page);
        const layout = layOutPage(page);
        await reader?.add(layout);
        yield layout;
      }
    };
    const { proposals, conventions } = await readByRules(schema, layouts(), signal, { most: MOST_VALUES + 1 });
    await reader?.end();
    const turn = new CooperativeYield(signal);
    const proven = await provenValues(schema, reader?.values ?? [], conventions, turn);
    const found = await turn.finish(combineValues(await turn.map(proposals, toFound), proven));
    const byPath = new Map(await turn.map(found, (value) => [formatPath(value.path), value]));
    const fields = await turn.finish(listFields(schema, byPath.keys(), MOST_VALUES + 1));
    if (fields.length > MOST_VALUES) {
      throw new Conflict(
        'conflict',
        `The document has more than ${MOST_VALUES} values: split it, or ask for fewer fields.`,
      );
    }
    return {
      values: await turn.map(fields, ({ path, isRequired }) => toValue(path, isRequired, byPath.get(path))),
      pages,
      pagesFailed: notes.pagesFailed,
      warnings: notes.warnings,
    };
  }
}

/** What a model has told that the words of the document say, too. */
async function provenValues(
  schema: ExtractionSchema,
  told: readonly QuotedValue[],
  conventions: Conventions,
  turn: CooperativeYield,
): Promise<ModelValue[]> {
  const targets = new TargetFinder(schema);
  const proven = await turn.map(told, (quoted) => {
    const target = targets.find(quoted.path);
    const value = target && provenValue(target, quoted, conventions);
    return value === undefined ? [] : [{ ...quoted, value }];
  });
  return proven.flat();
}

function toFound({ path, value, quote, page, box, origin, evidence }: Proposal): FoundValue {
  const [failed] = evidence.failed;
  const doubt = evidence.isAmbiguous ? 'ambiguous' : null;
  return {
    path: parsePath(path) ?? [],
    value,
    confidence: confidenceOf(evidence),
    quote,
    page,
    box,
    origin,
    extractor: 'rules',
    reason: failed === undefined ? doubt : `failed_${failed}`,
  };
}

function toValue(path: string, isRequired: boolean, found: FoundValue | undefined): ReadValue {
  if (!found) {
    const nothing = { quote: null, page: null, bbox: null, origin: null, extractor: null };
    return { path, proposedValue: null, confidence: 0, ...nothing, reason: 'not_found', isDoubtful: isRequired };
  }
  const { value, confidence, quote, page, box, origin, extractor, reason } = found;
  return {
    path,
    proposedValue: value,
    confidence,
    quote,
    page: page ?? null,
    bbox: box ?? null,
    origin,
    extractor,
    reason,
    isDoubtful: reason !== null,
  };
}
