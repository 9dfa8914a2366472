import type { InlinePart } from '../units/inline-text.js';
import type { MarkedToken, MarkerNotation } from './marker-notation.js';

/** A term and what it is translated with, as a caller gives it. */
export interface GlossaryTerm {
  readonly source: string;
  readonly target: string;
}

/** What comes back for a marker that stands for a whole message of ICU: its skeleton, and its branches translated. */
export interface MessageContent {
  readonly kind: 'message';
  readonly parts: readonly (string | ProtectedUnit)[];
}

/** What a marker, or one side of it, stands for. */
export type MarkerContent = InlinePart | MessageContent;

/** A marker of a protected unit. */
export type Marker =
  | { readonly kind: 'pair'; readonly number: number; readonly open: InlinePart; readonly close: InlinePart }
  | {
      readonly kind: 'single';
      readonly number: number;
      readonly content: MarkerContent;
      /** The term of the glossary that it stands for, as the source has it. */
      readonly term?: string;
    };

/**
 * A text as an engine sees it: what must come back unchanged is numbered markers. `restore` makes an inline text of the
 * engine's answer, `unitsWithin` lists this unit and the branches of its messages, which are translated by themselves.
 */
export interface ProtectedUnit {
  /** What the engine is given, in its notation; without white space at its ends. */
  readonly text: string;
  /** Whether there are letters to translate outside of the markers; if not, the answer is `text`. */
  readonly isTranslatable: boolean;
  readonly notation: MarkerNotation;
  /** The same as `text`, in parts. */
  readonly tokens: readonly MarkedToken[];
  /** All markers that `tokens`, `before` and `after` have, by number; pieces of a unit share those of the whole. */
  readonly markers: ReadonlyMap<number, Marker>;
  /** What stands around the text and no engine sees: white space, and marks that hold all of the text. */
  readonly before: readonly MarkedToken[];
  readonly after: readonly MarkedToken[];
  /** The kind of the ICU message that it is a branch of, whose syntax its text must not break; undefined: of none. */
  readonly branchOf?: MessageKind;
}

/** The kinds of ICU messages that have branches. */
export type MessageKind = 'plural' | 'select' | 'selectordinal';
