import type { LanguageTag } from '../languages/language-tag.js';
import { protectSteps } from '../protection/protect.js';
import type { ProtectionOptions } from '../protection/protect.js';
import type { ProtectedUnit } from '../protection/protected-unit.js';
import { restore, unitsWithin } from '../protection/restore.js';
import { joinInlineTexts } from '../units/join-inline-texts.js';
import type { InlineText } from '../units/inline-text.js';
import { splitAtBarriers, splitAtMarkers, splitSteps } from '../units/split-unit.js';
import type { PieceResult } from './piece-translation.js';

/** A unit, cut into what an engine is asked for, and put together again. */
export class UnitPlan {
  /** What is to be translated of it; empty where nothing is. */
  readonly pieces: readonly ProtectedUnit[];

  private constructor(
    readonly source: LanguageTag | undefined,
    private readonly outer: readonly ProtectedUnit[],
    branches: readonly ProtectedUnit[],
  ) {
    this.pieces = [...outer, ...branches].filter(({ isTranslatable }) => isTranslatable);
  }

  /** Cuts a unit, in steps. @param maxCharacters of a piece */
  static *make(
    inline: InlineText,
    source: LanguageTag | undefined,
    options: ProtectionOptions,
    maxCharacters: number,
  ): Generator<void, UnitPlan> {
    const whole = yield* protectSteps(inline, options);
    // A branch is put back as one text: one that is too long stays as it is.
    const branches = unitsWithin(whole).filter((unit) => unit !== whole && unit.text.length <= maxCharacters);
    const outer: ProtectedUnit[] = [];
    for (const part of splitAtBarriers(whole))
      for (const piece of yield* splitSteps(part, maxCharacters)) outer.push(piece);
    return new UnitPlan(source, outer, branches);
  }

  /** The unit with what became of its pieces, in steps. @param resultOf those of `pieces` */
  *build(resultOf: (piece: ProtectedUnit) => PieceResult | undefined): Generator<void, InlineText> {
    const answerOf = (piece: ProtectedUnit): string => {
      const result = resultOf(piece);
      return result?.kind === 'answer' ? result.text : piece.text;
    };
    const restored: InlineText[] = [];
    for (const piece of this.outer) {
      const result = resultOf(piece);
      if (result?.kind === 'parts') {
        const parts = splitAtMarkers(piece);
        const texts = new Map(parts.map((part, index) => [part, result.texts[index] ?? part.text]));
        for (const part of parts) restored.push(restore(part, (unit) => texts.get(unit) ?? answerOf(unit)));
      } else restored.push(restore(piece, answerOf));
      yield;
    }
    return joinInlineTexts(restored);
  }

  /** Sentences for people: why pieces of it are as they were. */
  warnings(resultOf: (piece: ProtectedUnit) => PieceResult | undefined): string[] {
    const outer = new Set(this.outer);
    const reasons = this.pieces.flatMap((piece) => {
      const result = resultOf(piece);
      // A branch has no place for parts.
      if (result?.kind === 'parts' && !outer.has(piece)) return ['A branch of a message was not translated.'];
      return result?.kind === 'source' ? [result.reason] : [];
    });
    if (reasons.length === 0) return [];
    const what = reasons.length === this.pieces.length ? 'The text was' : 'A part of the text was';
    return [`${what} not translated. ${[...new Set(reasons)].join(' ')}`];
  }
}
