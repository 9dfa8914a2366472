import pLimit from 'p-limit';
import { checkJoinedParts, checkTranslation } from '../checks/check-translation.js';
import type { TranslationFault } from '../checks/translation-fault.js';
import type { LanguageTag } from '../languages/language-tag.js';
import type { GlossaryTerm, ProtectedUnit } from '../protection/protected-unit.js';
import { readAnswer } from '../protection/read-answer.js';
import { spaceMarkers } from '../protection/space-markers.js';
import { splitAtMarkers } from '../units/split-unit.js';
import type { Engine, EngineAnswer, EngineBatch } from './engine.js';
import type { RepairCount } from './repair-count.js';

/** What an engine is given of a unit, with its neighbours. */
export interface Piece {
  readonly unit: ProtectedUnit;
  readonly source: LanguageTag | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What is said about the unit. */
  readonly context: string | undefined;
}

/** What became of a piece: an answer, one for each part that it has between its markers, or nothing that is right. */
export type PieceResult =
  | { readonly kind: 'answer'; readonly text: string; readonly detectedLanguage: string | null }
  | { readonly kind: 'parts'; readonly texts: readonly string[]; readonly detectedLanguage: string | null }
  | { readonly kind: 'source'; readonly reason: string };

interface PieceTranslationParts {
  readonly engine: Engine;
  readonly target: LanguageTag;
  readonly glossary: readonly GlossaryTerm[];
  readonly signal: AbortSignal;
  readonly repairs: RepairCount;
  /** Between two checks. */
  readonly pace: { breathe(): Promise<void> };
}

interface Refusal {
  readonly piece: Piece;
  /** For the model. */
  readonly fault: string;
  /** For people. */
  readonly reason: string;
}

const MISSING = 'The answer of the engine has no translation of it.';

/**
 * Translates pieces so that nothing comes back that was not checked: in batches; what fails the check, once more alone,
 * with the fault named where the engine can be told; then between its markers; then not at all. Where repairs have helped
 * nothing for long, what fails is left at once.
 */
export class PieceTranslation {
  constructor(private readonly parts: PieceTranslationParts) {}

  /**
   * @param pieces of one source language, in the order of the text
   * @param done is told of each as soon as it is decided
   * @throws as the engine does, and the reason of the signal; calls that are under way are the signal's to end
   */
  async translate(pieces: readonly Piece[], done: (index: number, result: PieceResult) => void): Promise<void> {
    const limit = pLimit(this.parts.engine.concurrency);
    const batches = batched(pieces, this.parts.engine);
    await Promise.all(batches.map((batch) => limit(() => this.translateBatch(pieces, batch, done))));
  }

  private async translateBatch(
    pieces: readonly Piece[],
    indexes: readonly number[],
    done: (index: number, result: PieceResult) => void,
  ): Promise<void> {
    const asked = indexes.map((index) => pieces[index] as Piece);
    let results = await this.ask(asked);
    // What is missing is sent again together: most models leave out a few of many.
    const missing = indexes.filter((_, at) => results[at] && 'fault' in results[at] && results[at].reason === MISSING);
    if (missing.length > 1 && missing.length < indexes.length) {
      const again = await this.ask(missing.map((index) => pieces[index] as Piece));
      results = results.map((result, at) => again[missing.indexOf(indexes[at] as number)] ?? result);
    }
    for (const [at, result] of results.entries()) {
      this.parts.signal.throwIfAborted();
      done(indexes[at] as number, 'fault' in result ? await this.repair(result) : result);
    }
  }

  private async repair(refusal: Refusal): Promise<PieceResult> {
    const { reason } = refusal;
    const { repairs } = this.parts;
    if (repairs.isOver) return { kind: 'source', reason };
    const result = await this.repaired(refusal);
    repairs.add(result.kind !== 'source');
    return result;
  }

  private async repaired(refusal: Refusal): Promise<PieceResult> {
    const { piece } = refusal;
    let { reason } = refusal;
    if (this.parts.engine.canRepair) {
      const [again] = await this.ask([piece], refusal.fault);
      if (again && !('fault' in again)) return again;
      reason = again?.reason ?? reason;
    }
    return (await this.translateParts(piece)) ?? { kind: 'source', reason };
  }

  /** What lies between the markers of a piece, each part for itself. */
  private async translateParts(piece: Piece): Promise<PieceResult | undefined> {
    if (piece.unit.markers.size === 0) return undefined;
    const units = splitAtMarkers(piece.unit);
    const translatable = units.filter(({ isTranslatable }) => isTranslatable);
    if (translatable.length === 0 || units.some((unit) => unit.text === piece.unit.text)) return undefined;
    const asked = translatable.map((unit): Piece => ({ ...piece, unit, before: undefined, after: undefined }));
    const answers = new Map<ProtectedUnit, string>();
    let detectedLanguage: string | null = null;
    for (const batch of batched(asked, this.parts.engine)) {
      const results = await this.ask(batch.map((index) => asked[index] as Piece));
      for (const [at, result] of results.entries()) {
        if ('fault' in result || result.kind !== 'answer') return undefined;
        answers.set((asked[batch[at] as number] as Piece).unit, result.text);
        detectedLanguage ??= result.detectedLanguage;
      }
    }
    const texts = units.map((unit) => answers.get(unit) ?? unit.text);
    // Each part was checked by itself, and not what it stands beside.
    const whole = units.flatMap((unit, at) => [...unit.before, ...readAnswer(unit, texts[at] ?? ''), ...unit.after]);
    if (checkJoinedParts(piece.unit, whole, this.languagesOf(piece)).length > 0) return undefined;
    return { kind: 'parts', texts, detectedLanguage };
  }

  /** Asks once for pieces, and checks each answer. */
  private async ask(pieces: readonly Piece[], fault?: string): Promise<(PieceResult | Refusal)[]> {
    const { engine, signal, pace } = this.parts;
    signal.throwIfAborted();
    const texts = pieces.map(({ unit, ...around }) => ({ ...around, text: unit.text }));
    const batch: EngineBatch = { texts, source: pieces[0]?.source, fault };
    const { answers, reason = MISSING } = await engine.translate(batch);
    const results: (PieceResult | Refusal)[] = [];
    for (const [index, piece] of pieces.entries()) {
      await pace.breathe();
      const answer = answers[index];
      results.push(answer ? this.checked(piece, answer) : { piece, fault: reason, reason });
    }
    return results;
  }

  private checked(piece: Piece, answer: EngineAnswer): PieceResult | Refusal {
    const text = spaceMarkers(piece.unit, answer.text, this.parts.target);
    const faults = this.faultsOf(piece, text);
    if (faults.length === 0) return { kind: 'answer', ...answer, text };
    return { piece, fault: faults.map(({ message }) => message).join(' '), reason: reasonOf(faults) };
  }

  private faultsOf({ unit, source }: Piece, answer: string): readonly TranslationFault[] {
    const { engine, glossary } = this.parts;
    return checkTranslation({
      source: unit,
      answer,
      ...this.languagesOf({ source }),
      ...(engine.keepsGlossary && { glossary }),
    });
  }

  private languagesOf({ source }: Pick<Piece, 'source'>) {
    return { ...(source && { sourceLanguage: source.tag }), targetLanguage: this.parts.target.tag };
  }
}

/** Indexes of pieces for one call each, in their order. */
function batched(
  pieces: readonly Piece[],
  { maxTexts, maxCharacters }: Pick<Engine, 'maxTexts' | 'maxCharacters'>,
): number[][] {
  const batches: number[][] = [];
  let characters = 0;
  for (const [index, { unit }] of pieces.entries()) {
    const last = batches.at(-1);
    characters += unit.text.length;
    if (last && last.length < maxTexts && characters <= maxCharacters) {
      last.push(index);
    } else {
      batches.push([index]);
      characters = unit.text.length;
    }
  }
  return batches;
}

function reasonOf(faults: readonly TranslationFault[]): string {
  return `The engine's translation failed the check (${[...new Set(faults.map(({ code }) => code))].join(', ')}).`;
}
