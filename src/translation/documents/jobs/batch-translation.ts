import { randomUUID } from 'node:crypto';
import { BadRequest, QuotaExceeded } from '../../../errors.js';
import type { WorkTurns } from '../../../platform/extraction/child/work-turns.js';
import { RepairCount } from '../../engines/repair-count.js';
import type { Translator } from '../../engines/translator.js';
import { charactersOf } from './batch-cutter.js';
import type { BatchDraft } from './batch-draft.js';
import type { DocumentTask } from './document-task.js';
import { KnownTexts } from './known-texts.js';
import type { PendingBatch, TranslationBatches } from './translation-batches.js';
import { isBusy } from './translation-failure.js';

/** How many batches are with engines at once, and how much of one is asked for together. */
interface Pace {
  readonly batches: number;
  readonly units: number;
  readonly characters: number;
}

/** A batch is a call or a few of a model. */
const FULL: Pace = { batches: 8, units: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };
/** For limits that are small, and engines that are slow: little is in vain. */
const CAREFUL: Pace = { batches: 1, units: 16, characters: 1_500 };
/** After so many batches in a row that no limit has refused there is room for more. */
const CAREFUL_BATCHES = 10;

/** A batch that is stored with so many bytes has one long text: what is made of it on its way takes much memory. */
const LARGE_BYTES = 64 * 1024;

type BatchWork = (batch: PendingBatch, signal: AbortSignal) => Promise<unknown>;

interface BatchTranslationParts {
  readonly translator: Pick<Translator, 'translateUnits'>;
  readonly batches: TranslationBatches;
  /** The places for large batches of all documents. */
  readonly largeTurns: Pick<WorkTurns, 'take'>;
}

/** One attempt to translate the batches of a document that wait. What was answered is stored, also where others fail. */
export class BatchTranslation {
  private readonly known = new KnownTexts();
  private readonly repairs = new RepairCount();
  private pace = FULL;

  constructor(
    private readonly parts: BatchTranslationParts,
    private readonly task: DocumentTask,
  ) {}

  /** @throws as `Translator.translateUnits` does */
  async run(): Promise<void> {
    const { document } = this.task;
    const undetected: PendingBatch[] = [];
    let refusal: BadRequest | undefined;
    let detected = document.sourceLanguage;
    const work: BatchWork = async (batch, signal) => {
      try {
        const found = await this.translate(batch, document.givenLanguage, signal);
        detected ??= found;
      } catch (error) {
        // Of too few words nobody knows the language: those of the whole document tell.
        if (!(error instanceof BadRequest) || error.details.param !== 'source_language') throw error;
        refusal = error;
        undetected.push(batch);
      }
    };
    const pending = await this.parts.batches.pending(document.id);
    const first = this.task.isCareful ? CAREFUL_BATCHES : 0;
    this.pace = CAREFUL;
    await this.each(pending.slice(0, first), work);
    this.pace = FULL;
    await this.each(pending.slice(first), work);
    if (refusal && detected === null) throw refusal;
    await this.each(undetected, (batch, signal) => this.translate(batch, detected, signal));
  }

  /**
   * Several at once. Where one fails the others end; where an engine or a limit is busy, what was asked is waited for; where
   * a quota has no room for one beside the others, it waits until there are fewer.
   */
  private async each(pending: readonly PendingBatch[], work: BatchWork): Promise<void> {
    const { signal } = this.task;
    signal.throwIfAborted();
    const ending = new AbortController();
    const abort = (): void => ending.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    let failure: { readonly cause: unknown } | undefined;
    const left = [...pending];
    let working = Math.min(this.pace.batches, left.length);
    const run = async (): Promise<void> => {
      for (let batch = left.shift(); batch; batch = left.shift()) {
        const isAlone = working === 1;
        try {
          await work(batch, ending.signal);
        } catch (cause) {
          // Each call holds what it may cost at most: with fewer at once the quota may be enough.
          if (cause instanceof QuotaExceeded && !isAlone && !failure) {
            left.unshift(batch);
            if (working === 1) continue;
            break;
          }
          if (!failure || (isBusy(failure.cause) && !isBusy(cause))) failure = { cause };
          if (!isBusy(cause)) ending.abort(cause);
        }
        if (failure || ending.signal.aborted) break;
      }
      working -= 1;
    };
    await Promise.all(Array.from({ length: working }, run));
    signal.removeEventListener('abort', abort);
    signal.throwIfAborted();
    if (failure) throw failure.cause;
  }

  private async translate(batch: PendingBatch, source: string | null, signal: AbortSignal): Promise<string | null> {
    const { tenantId } = this.task.owner;
    if (batch.sizeBytes < LARGE_BYTES) return this.translateNow(batch, source, signal);
    // Those of one tenant leave a place to others.
    const leave = await this.parts.largeTurns.take({ tenantId, userId: tenantId, kind: 'request' }, signal);
    try {
      return await this.translateNow(batch, source, signal);
    } finally {
      leave();
    }
  }

  private async translateNow(
    { position }: PendingBatch,
    source: string | null,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { document } = this.task;
    const draft = await this.parts.batches.open(document.id, position);
    if (!draft) return null;
    let detected: string | null = null;
    try {
      for (let asked = this.nextOf(draft); asked.length > 0; asked = this.nextOf(draft)) {
        const found = await this.ask(draft, asked, source, signal);
        detected ??= found;
      }
    } catch (error) {
      // What is not stored is asked for again.
      if (draft.addedUnits > 0) await this.save(position, draft, detected).catch(() => undefined);
      throw error;
    }
    await this.save(position, draft, detected);
    return detected;
  }

  /** The texts of a batch that are asked for next, those that are known already put in. */
  private nextOf(draft: BatchDraft): readonly number[] {
    const { units, characters } = this.pace;
    const asked: number[] = [];
    let size = 0;
    for (const index of draft.open) {
      const unit = draft.units[index] ?? [];
      const known = this.known.get(unit);
      if (known) {
        draft.put(index, known);
        continue;
      }
      size += charactersOf(unit);
      if (asked.length > 0 && (asked.length >= units || size > characters)) break;
      asked.push(index);
    }
    return asked;
  }

  private async ask(
    draft: BatchDraft,
    asked: readonly number[],
    source: string | null,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { document, owner, answered } = this.task;
    const { targetLanguage: target, model, formality } = document;
    const units = asked.map((index) => draft.units[index] ?? []);
    const { repairs } = this;
    const options = { target, formality, source: source ?? undefined, model: model ?? undefined, repairs };
    const context = { signal, serverRequestId: randomUUID() };
    const translation = await this.parts.translator.translateUnits(owner, units, options, context, (at, unit) => {
      answered();
      draft.put(asked[at] as number, unit);
      this.known.add(units[at] ?? [], unit);
    });
    if (translation.units.length !== units.length) throw new Error('A translation has other units than its source.');
    return translation.source;
  }

  private async save(position: number, draft: BatchDraft, detected: string | null): Promise<void> {
    const { document, transaction, progressed } = this.task;
    await transaction(async (tx) => {
      if (await this.parts.batches.save(tx, document.id, position, draft))
        await progressed(tx, draft.addedUnits, detected);
    });
  }
}
