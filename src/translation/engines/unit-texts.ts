import type { TextTransform } from '../../inference/domain.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { changeUnit } from '../units/change-unit.js';
import type { InlineText } from '../units/inline-text.js';

/**
 * Changes the texts of one translation as the transforms of calls have them: those that an engine is to read, and those
 * that the caller gets. A unit is looked at as one text, since what is to be found may go over several parts of it.
 */
export class UnitTexts {
  private readonly cooperation: CooperativeYield;

  /** @param transform undefined: nothing is changed */
  constructor(
    private readonly transform: TextTransform | undefined,
    signal: AbortSignal,
  ) {
    this.cooperation = new CooperativeYield(signal);
  }

  /** Other requests have their turn, where it is due. */
  async breathe(): Promise<void> {
    if (this.cooperation.isDue) await this.cooperation.yield();
  }

  /** Does steps to their end; other requests have their turn between them. */
  finish<Result>(steps: Generator<void, Result>): Promise<Result> {
    return this.cooperation.finish(steps);
  }

  /** What an engine may read of a text. @throws PlatformError of the transform */
  async toReadable(text: string): Promise<string> {
    return this.transform && text !== '' ? await this.transform.transformPrompt(text, 'text') : text;
  }

  /** What an engine may read of a unit. @throws PlatformError of the transform */
  async toReadableUnit(unit: InlineText): Promise<InlineText> {
    if (!this.transform) return unit;
    await this.breathe();
    const { transform } = this;
    return changeUnit(unit, (text, edits) => transform.transformPrompt(text, 'text', edits));
  }

  /**
   * What the caller gets of a translated unit. What was replaced for the engine is put back within single parts alone: what
   * an engine makes of several, over marks between them, was never given to it.
   * @param source the unit as the engine could read it
   * @param targets what stands for others in targets of the glossary, which may be in any unit
   * @throws PlatformError of the transform
   */
  async toAnswer(unit: InlineText, source: InlineText, targets: ReadonlySet<string>): Promise<InlineText> {
    const { transform } = this;
    if (!transform) return unit;
    await this.breathe();
    const answer = await changeUnit(unit, (text, edits) => {
      const changed = transform.beginAnswer('text', false, edits);
      return changed.write(text) + changed.end();
    });
    const own = new Set(source.flatMap((part) => (part.kind === 'text' ? this.placeholdersIn(part.text) : [])));
    if (own.size + targets.size === 0) return answer;
    const isGiven = (placeholder: string): boolean => own.has(placeholder) || targets.has(placeholder);
    return answer.map((part) =>
      part.kind === 'text' ? { ...part, text: transform.restore?.(part.text, isGiven) ?? part.text } : part,
    );
  }

  /** What a text that an engine reads has in the place of something else. */
  placeholdersIn(text: string): readonly string[] {
    return this.transform?.placeholdersIn?.(text) ?? [];
  }
}
