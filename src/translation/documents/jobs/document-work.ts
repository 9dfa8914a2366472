import { Readable } from 'node:stream';
import { NotFound } from '../../../errors.js';
import type { BlobOwner, StorageLimits, WrittenBlob } from '../../../platform/blobs/blob.types.js';
import type { Blobs } from '../../../platform/blobs/blobs.js';
import type { WorkTurns } from '../../../platform/extraction/child/work-turns.js';
import type { Translator } from '../../engines/translator.js';
import type { InlineText } from '../../units/inline-text.js';
import type { ReplacementLine } from '../child/rewriting.types.js';
import type { DocumentRewriter, RewrittenDocument } from '../document-rewriter.js';
import { BatchCutter } from './batch-cutter.js';
import type { BatchContent } from './batch-draft.js';
import { BatchTranslation } from './batch-translation.js';
import type { DocumentTask } from './document-task.js';
import type { DocumentTranslation } from './document-translation.entity.js';
import { requireRoom } from './require-room.js';
import type { TranslationBatches } from './translation-batches.js';

/** What the blobs of documents in another language are for, and their addresses lead to. */
export const TRANSLATION_BLOB = 'document_translation';

/** No translation makes a document so much larger. */
const MOST_GROWTH = 4;
const GROWTH_BYTES = 16 * 1024 * 1024;
/** Different sentences that are told of a document. */
const MOST_WARNINGS = 20;
const NOT_PLACED = 'The translation could not be put into the document, and the source was left there';

interface DocumentWorkParts {
  readonly blobs: Pick<Blobs, 'discard' | 'open' | 'write'>;
  readonly rewriter: DocumentRewriter;
  readonly translator: Translator;
  readonly batches: TranslationBatches;
  readonly storageLimits: (owner: BlobOwner) => Promise<StorageLimits>;
  /** The places for large texts of all documents. */
  readonly largeTurns: WorkTurns;
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
    const cutter = new BatchCutter();
    let [position, count] = [0, 0];
    const store = async (batch: readonly InlineText[] | undefined): Promise<void> => {
      if (!batch) return;
      const at = position;
      await transaction((tx) => batches.add(tx, document.id, at, batch));
      position += 1;
      count += batch.length;
    };
    for await (const some of rewriter.read(this.open(document, signal), signal)) {
      for (const unit of some) await store(cutter.add(unit));
    }
    await store(cutter.take());
    return count;
  }

  /** Translates the batches that wait. @throws as `Translator.translateUnits` does; StorageExceeded before anything is asked */
  async translate(task: DocumentTask): Promise<void> {
    const { blobs, storageLimits } = this.parts;
    const { document, signal } = task;
    const owner = ownerOf(document);
    // What is paid for is worth another try to store it.
    if (document.doneUnits === 0) {
      const limits = await storageLimits(owner);
      await requireRoom(blobs, owner, { kind: TRANSLATION_BLOB, sizeBytes: document.sizeBytes, limits, signal });
    }
    await new BatchTranslation(this.parts, task).run();
  }

  /** Writes the document. Its bytes are this process's to keep or to discard. @throws ExtractionFailed; StorageExceeded */
  async write({ document, signal }: DocumentTask): Promise<WrittenDocument> {
    const { blobs, batches, rewriter, storageLimits } = this.parts;
    const warnings = new Map<string, number>();
    const count = (sentence: string, times: number) => warnings.set(sentence, (warnings.get(sentence) ?? 0) + times);
    const replacements = async function* (): AsyncGenerator<readonly ReplacementLine[]> {
      for await (const batch of batches.translated(document.id)) {
        for (const [sentence, times] of Object.entries(batch.warnings ?? {})) count(sentence, times);
        yield wholeOf(batch);
      }
    };
    const source = this.open(document, signal);
    const bytes = rewriter.write(source, replacements(), signal, (times) => times > 0 && count(NOT_PLACED, times));
    const owner = ownerOf(document);
    const request = {
      kind: TRANSLATION_BLOB,
      maxBytes: document.sizeBytes * MOST_GROWTH + GROWTH_BYTES,
      limits: await storageLimits(owner),
      signal,
    };
    const blob = await blobs.write(owner, request, bytes);
    return { blob, warnings: toSentences(warnings) };
  }

  /** Its bytes are asked for when a child reads them. */
  private open(document: DocumentTranslation, signal: AbortSignal): RewrittenDocument {
    const { kind, targetLanguage, sizeBytes, tenantId } = document;
    const bytes = Readable.from(this.bytesOf(document, signal), { objectMode: false });
    return { kind, targetLanguage, sizeBytes, tenantId, bytes };
  }

  private async *bytesOf({ blobKey }: DocumentTranslation, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const bytes = blobKey === null ? undefined : await this.parts.blobs.open(blobKey, { signal });
    if (!bytes) throw new NotFound('The bytes of the document are gone.');
    yield* bytes;
  }
}

function ownerOf({ tenantId, ownerId: userId }: DocumentTranslation): BlobOwner {
  return { tenantId, userId };
}

function wholeOf({ replacements = [] }: BatchContent): readonly ReplacementLine[] {
  return replacements.map((replacement) => {
    if (replacement === null) throw new Error('A text of the document is not translated.');
    return replacement;
  });
}

function toSentences(warnings: ReadonlyMap<string, number>): string[] {
  const most = [...warnings].toSorted(([, one], [, other]) => other - one).slice(0, MOST_WARNINGS);
  return most.map(
    ([sentence, times]) => `${sentence.replace(/\.$/, '')} (${times} ${times === 1 ? 'text' : 'texts'}).`,
  );
}
