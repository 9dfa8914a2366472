import type { TranslatedUnit } from '../../engines/translator.js';
import type { InlineText } from '../../units/inline-text.js';
import type { ReplacementLine } from '../child/rewriting.types.js';

/** What a batch has: its texts, and what is to stand in their place as far as that is known; at the end, that alone. */
export interface BatchContent {
  readonly units?: readonly InlineText[];
  /** One for each text; null: it is not translated yet. */
  readonly replacements?: readonly (ReplacementLine | null)[];
  /** By their sentences: of how many texts. */
  readonly warnings?: Readonly<Record<string, number>>;
}

/** What became of a text. */
export type UnitOutcome = Pick<TranslatedUnit, 'inline' | 'warnings'>;

/** A batch on its way. */
export class BatchDraft {
  readonly units: readonly InlineText[];
  private readonly replacements: (ReplacementLine | null)[];
  private readonly warnings: Record<string, number>;
  private added = 0;

  constructor({ units = [], replacements = [], warnings = {} }: BatchContent) {
    this.units = units;
    this.replacements = units.map((_, index) => replacements[index] ?? null);
    this.warnings = { ...warnings };
  }

  /** How many texts were translated since it was opened. */
  get addedUnits(): number {
    return this.added;
  }

  get isWhole(): boolean {
    return !this.replacements.includes(null);
  }

  /** The indexes of the texts that are not translated yet. */
  get open(): readonly number[] {
    return this.replacements.flatMap((replacement, index) => (replacement === null ? [index] : []));
  }

  /** As it is stored: of one that is whole the texts are not needed any more. */
  get content(): BatchContent {
    const { units, replacements, warnings } = this;
    return this.isWhole ? { replacements, warnings } : { units, replacements, warnings };
  }

  /** Puts in what became of a text; the first time counts. A text that has warnings is not trusted. */
  put(index: number, { inline, warnings }: UnitOutcome): void {
    if (this.replacements[index] !== null) return;
    this.replacements[index] = [inline, warnings.length === 0];
    for (const sentence of warnings) this.warnings[sentence] = (this.warnings[sentence] ?? 0) + 1;
    this.added += 1;
  }
}
