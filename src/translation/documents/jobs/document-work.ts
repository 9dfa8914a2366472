import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import pLimit from 'p-limit';
import type { EntityManager } from 'typeorm';
import type { CallOwner } from '../../../access/caller.js';
import { BadRequest, NotFound } from '../../../errors.js';
import type { BlobOwner, StorageLimits, WrittenBlob } from '../../../platform/blobs/blob.types.js';
import type { Blobs } from '../../../platform/blobs/blobs.js';
import type { Translation, Translator } from '../../engines/translator.js';
import type { InlineText } from '../../units/inline-text.js';
import type { ReplacementLine } from '../child/rewriting.types.js';
import type { DocumentRewriter, RewrittenDocument } from '../document-rewriter.js';
import type { DocumentTranslation } from './document-translation.entity.js';
import type { TranslationBatches } from './translation-batches.js';

/** What the blobs of documents in another language are for, and their addresses lead to. */
export const TRANSLATION_BLOB = 'document_translation';

/** A batch is what a crash repeats: so many texts, or UTF-16 units of them. */
const BATCH_UNITS = 100;
const BATCH_CHARACTERS = 8_000;
/** So many batches are with engines at once; each is several calls of a model. */
const BATCHES_AT_ONCE = 4;
/** No translation makes a document so much larger. */
const MOST_GROWTH = 4;
const GROWTH_BYTES = 16 * 1024 * 1024;
/** Different sentences that are told of a document. */
const MOST_WARNINGS = 20;
const NOT_PLACED = 'The translation could not be put into the document, and the source was left there';

/** What is done, and for whom. */
export interface DocumentTask {
  readonly document: DocumentTranslation;
  /** For whom models are called. */
  readonly owner: CallOwner;
  readonly signal: AbortSignal;
  /** Runs a transaction while the job is this process's and the document is there. */
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T>;
  /** Told of what has been translated. */
  progressed(tx: EntityManager, units: number, detected: string | null): Promise<void>;
}

interface DocumentWorkParts {
  readonly blobs: Pick<Blobs, 'open' | 'write'>;
  readonly rewriter: DocumentRewriter;
  readonly translator: Translator;
  readonly batches: TranslationBatches;
  readonly storageLimits: (owner: BlobOwner) => Promise<StorageLimits>;
}

/** A document in the other language. */
export interface WrittenDocument {
  readonly blob: WrittenBlob;
  readonly warnings: string[];
}

/** Reads the texts of a document, has them translated, and writes it. */
export class DocumentWork {
  constructor(private readonly parts: DocumentWorkParts) {}

  /** Stores the texts as batches. @returns how many texts there are. @throws ExtractionFailed; Unavailable */
  async read({ document, signal, transaction }: DocumentTask): Promise<number> {
    const { batches, rewriter } = this.parts;
    let [position, count, size] = [0, 0, 0];
    let units: InlineText[] = [];
    const flush = async (): Promise<void> => {
      const [batch, at] = [units, position];
      if (batch.length > 0) await transaction((tx) => batches.add(tx, document.id, at, batch));
      position += batch.length > 0 ? 1 : 0;
      count += batch.length;
      [units, size] = [[], 0];
    };
    for await (const some of rewriter.read(await this.open(document, signal), signal)) {
      for (const unit of some) {
        units.push(unit);
        size += charactersOf(unit);
        if (units.length >= BATCH_UNITS || size >= BATCH_CHARACTERS) await flush();
      }
    }
    await flush();
    return count;
  }

  /** Translates the batches that wait, several at once. @throws as `Translator.translateUnits` does */
  async translate(task: DocumentTask): Promise<void> {
    const { document } = task;
    const undetected: number[] = [];
    let refusal: BadRequest | undefined;
    let detected = document.sourceLanguage;
    await this.each(task, await this.parts.batches.pending(document.id), async (position, signal) => {
      try {
        const found = await this.translateBatch(task, position, document.givenLanguage, signal);
        detected ??= found;
      } catch (error) {
        // Of too few words nobody knows the language: those of the whole document tell.
        if (!(error instanceof BadRequest) || error.details.param !== 'source_language') throw error;
        refusal = error;
        undetected.push(position);
      }
    });
    if (refusal && detected === null) throw refusal;
    await this.each(task, undetected, (position, signal) => this.translateBatch(task, position, detected, signal));
  }

  /** Writes the document. Its bytes are this process's to keep or to discard. @throws ExtractionFailed; StorageExceeded */
  async write({ document, signal }: DocumentTask): Promise<WrittenDocument> {
    const { blobs, batches, rewriter, storageLimits } = this.parts;
    const warnings = new Map<string, number>();
    const count = (sentence: string, times: number) => warnings.set(sentence, (warnings.get(sentence) ?? 0) + times);
    const replacements = async function* (): AsyncGenerator<readonly ReplacementLine[]> {
      for await (const batch of batches.translated(document.id)) {
        for (const [sentence, times] of Object.entries(batch.warnings ?? {})) count(sentence, times);
        yield batch.replacements ?? [];
      }
    };
    const source = await this.open(document, signal);
    const bytes = rewriter.write(source, replacements(), signal, (times) => times > 0 && count(NOT_PLACED, times));
    const owner = { tenantId: document.tenantId, userId: document.ownerId };
    const request = {
      kind: TRANSLATION_BLOB,
      maxBytes: document.sizeBytes * MOST_GROWTH + GROWTH_BYTES,
      limits: await storageLimits(owner),
      signal,
    };
    const blob = await blobs.write(owner, request, bytes);
    return { blob, warnings: toSentences(warnings) };
  }

  private async translateBatch(
    { document, owner, transaction, progressed }: DocumentTask,
    position: number,
    source: string | null,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { batches, translator } = this.parts;
    const units = await batches.unitsOf(document.id, position);
    if (!units) return null;
    const { targetLanguage: target, model, formality } = document;
    const options = { target, formality, source: source ?? undefined, model: model ?? undefined };
    const context = { signal, serverRequestId: randomUUID() };
    const translation = await translator.translateUnits(owner, units, options, context);
    await transaction(async (tx) => {
      if (await batches.finish(tx, document.id, position, toContent(units, translation)))
        await progressed(tx, units.length, translation.source);
    });
    return translation.source;
  }

  /** Where one fails the others end. */
  private async each(
    { signal }: DocumentTask,
    positions: readonly number[],
    work: (position: number, signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    const limit = pLimit(BATCHES_AT_ONCE);
    const ending = new AbortController();
    const abort = (): void => ending.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    signal.throwIfAborted();
    let failure: { readonly cause: unknown } | undefined;
    const run = async (position: number): Promise<void> => {
      if (ending.signal.aborted) return;
      await work(position, ending.signal).catch((cause: unknown) => {
        failure ??= { cause };
        ending.abort(cause);
      });
    };
    await Promise.all(positions.map((position) => limit(run, position)));
    signal.removeEventListener('abort', abort);
    signal.throwIfAborted();
    if (failure) throw failure.cause;
  }

  private async open(document: DocumentTranslation, signal: AbortSignal): Promise<RewrittenDocument> {
    const bytes = document.blobKey === null ? undefined : await this.parts.blobs.open(document.blobKey, { signal });
    if (!bytes) throw new NotFound('The bytes of the document are gone.');
    const { kind, targetLanguage, sizeBytes, tenantId } = document;
    return { kind, targetLanguage, sizeBytes, tenantId, bytes: Readable.from(bytes, { objectMode: false }) };
  }
}

/** A unit that says why it is not as translated as it should be is not trusted. */
function toContent(units: readonly InlineText[], translation: Translation) {
  const warnings: Record<string, number> = {};
  const replacements = translation.units.map(({ inline, warnings: sentences }): ReplacementLine => {
    for (const sentence of sentences) warnings[sentence] = (warnings[sentence] ?? 0) + 1;
    return [inline, sentences.length === 0];
  });
  if (replacements.length !== units.length) throw new Error('A translation has other units than its source.');
  return { replacements, warnings };
}

function toSentences(warnings: ReadonlyMap<string, number>): string[] {
  const most = [...warnings].toSorted(([, one], [, other]) => other - one).slice(0, MOST_WARNINGS);
  return most.map(
    ([sentence, times]) => `${sentence.replace(/\.$/, '')} (${times} ${times === 1 ? 'text' : 'texts'}).`,
  );
}

function charactersOf(unit: InlineText): number {
  return unit.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 4), 0);
}
