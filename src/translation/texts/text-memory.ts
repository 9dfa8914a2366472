import type { CallOwner } from '../../access/caller.js';
import { Unavailable } from '../../errors.js';
import { SharedBudget } from '../../platform/async/shared-budget.js';
import type { BudgetShares } from '../../platform/async/shared-budget.js';
import { MEBIBYTE } from '../../platform/config/variables.js';
import type { Gauge } from '../../platform/telemetry/metrics.js';
import type { AddedMarkers } from '../protection/marker-count.js';
import type { TextFormat } from './text-units.js';
import type { TranslateTextRequest } from './translate-text.inputs.js';

/** What translations hold at most, in bytes: of a process, of a tenant, and of a user. */
const MOST = { all: 1_024 * MEBIBYTE, tenant: 512 * MEBIBYTE, user: 384 * MEBIBYTE };
/** What a text and its translation take until they are over, in bytes for each UTF-16 unit, without markers. */
const OF_TEXT: Readonly<Record<TextFormat, number>> = { text: 60, html: 150 };
/** What a line or a block takes beside its characters, and what a marker takes. */
const OF_UNIT = 1_300;
const OF_MARKER = 2_048;
/** What a character of a term takes that is put into the text, and one of a term that is looked for. */
const OF_TERM_CHARACTER = 20;
const OF_GLOSSARY_CHARACTER = 100;
/** A request without any text. */
const LEAST = 4_096;
const RETRY_SECONDS = 5;

/** What of a request takes memory. */
export type HeldTexts = Pick<TranslateTextRequest, 'texts' | 'format'> & {
  readonly options: Pick<TranslateTextRequest['options'], 'glossary'>;
};

/** What texts are found to have. */
export interface HeldParts extends AddedMarkers {
  /** Lines, or blocks of HTML. */
  readonly units?: number;
}

/** What one translation holds of the memory; to be disposed of when it is over. */
export interface HeldMemory extends Disposable {
  /** Takes more. @throws Unavailable where there is no room; then nothing more is held */
  add(what: HeldParts): void;
}

/**
 * The memory for texts that are translated at the same time: a megabyte of placeholders takes two hundred, for as long as a
 * model needs to answer. Whoever comes when it is used up is asked to come back.
 */
export class TextMemory {
  private readonly budget: SharedBudget;

  constructor(private readonly most: BudgetShares = MOST) {
    this.budget = new SharedBudget(most);
  }

  /** What is held, for the metrics. */
  get gauge(): Gauge {
    return {
      name: 'platform_translation_text_bytes',
      help: `Memory that is set aside for texts while they are translated, of ${this.most.all} bytes at most.`,
      labels: [],
      read: () => [{ value: this.budget.held }],
    };
  }

  /** Takes what the texts need to begin with. @throws Unavailable where there is no room */
  hold(owner: CallOwner, { texts, format, options: { glossary } }: HeldTexts): HeldMemory {
    let held = 0;
    const take = (bytes: number): void => {
      const full = this.budget.take(owner, bytes);
      if (full === 'user') throw busy('Too much text of yours is being translated at the moment.');
      if (full === 'tenant') throw busy('Too much text of your company is being translated at the moment.');
      if (full) throw busy('Too much text is being translated at the moment.');
      held += bytes;
    };
    const characters = texts.reduce((sum, { length }) => sum + length, 0);
    const terms = (glossary ?? []).reduce((sum, { source, target }) => sum + source.length + target.length, 0);
    take(LEAST + OF_TEXT[format] * characters + OF_GLOSSARY_CHARACTER * terms);
    return {
      add: ({ units = 0, markers = 0, termCharacters = 0 }) =>
        take(OF_UNIT * units + OF_MARKER * markers + OF_TERM_CHARACTER * termCharacters),
      [Symbol.dispose]: () => this.budget.release(owner, held),
    };
  }
}

function busy(reason: string): Unavailable {
  return new Unavailable(`${reason} Please try again.`, RETRY_SECONDS);
}
