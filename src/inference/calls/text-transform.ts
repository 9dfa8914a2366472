import { PlatformError } from '../../errors.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { TextSpan } from '../../platform/text/text-span.js';

/** A long text is changed in slices of so many UTF-16 units, between which other requests have their turn. */
export const SLICE_CHARACTERS = 16_384;

/** What a text is written in: prose, or JSON such as the arguments of a tool call, where what is put in must be escaped. */
export type TextFormat = 'text' | 'json';

/** What stands in the place of a part of a text. */
export interface TextEdit extends TextSpan {
  readonly text: string;
}

/**
 * What was changed in a text, for whoever must know where: the edits of each pass over it, in order and without overlaps.
 * The places of a pass are those of what the pass before has written, of the first those of the text.
 */
export type TextEdits = TextEdit[][];

/** A text that a model writes, piece by piece. */
export interface AnswerText {
  /** What may be sent after another piece; the rest is held back until its continuation is known. */
  write(piece: string): string;
  /** What was held back, when the text has ended. */
  end(): string;
  /** What is held back now, as it was written; undefined where that is not known. */
  readonly held?: string | undefined;
}

/**
 * Changes the texts of one call: those that its model reads, and those that it writes. It is made for one call, and set
 * on the call it reaches every operation, whole and streamed, whichever interface the backend has. The pieces of a text
 * become together what the whole text becomes. A PlatformError that it throws refuses the call, or ends its stream; any
 * other error ends the call as a failure of this server, so it must not quote a text: it is logged.
 */
export interface TextTransform {
  /**
   * What the model reads in place of a text; asked for one text after another, in the order of the request.
   * @param edits gets what is changed, of `text` alone
   */
  transformPrompt(text: string, format: TextFormat, edits?: TextEdits): string | Promise<string>;
  /**
   * Begins a text that the model writes.
   * @param isRepeat whether it is in an event that tells a text again which other events have told; default: it is not
   * @param edits gets what is changed, of `text` alone. Then nothing is put back of what the model read something else in place
   * of: `restore` does that
   */
  beginAnswer(format: TextFormat, isRepeat?: boolean, edits?: TextEdits): AnswerText;
  /** What a text that a model reads has in the place of something else, as it is spelled there. */
  placeholdersIn?(text: string): readonly string[];
  /** Puts back what the model read something else in place of. @param isGiven tells of a placeholder whether the text may have it */
  restore?(text: string, isGiven: (placeholder: string) => boolean): string;
  /**
   * Is told of each part that is no text: an image, a sound, a file, token numbers.
   * @throws PlatformError where the call must not have it
   */
  checkUnreadable?(direction: 'input' | 'output'): void;
  /**
   * Is told that the whole prompt was transformed.
   * @returns whether the answer must be transformed too; otherwise it is relayed as it comes. Default: it must
   */
  endPrompt?(): boolean;
}

/**
 * Writes a text that is whole already, and ends it.
 * @returns what it becomes
 * @throws as the text and the cooperation do
 */
export async function writeWhole(answer: AnswerText, text: string, cooperation: CooperativeYield): Promise<string> {
  const changed = await writeInSlices(answer, text, cooperation);
  return changed + answer.end();
}

/** Writes a long piece of a text. @returns what may be sent of it @throws as the text and the cooperation do */
export async function writeInSlices(
  answer: Pick<AnswerText, 'write'>,
  piece: string,
  cooperation: CooperativeYield,
): Promise<string> {
  let changed = '';
  for (let start = 0; start < piece.length; start += SLICE_CHARACTERS) {
    if (cooperation.isDue) await cooperation.yield();
    changed += answer.write(piece.slice(start, start + SLICE_CHARACTERS));
  }
  return changed;
}

/** An error whose message and parameter, which may repeat what the model was sent, are as the transform has them. */
export async function transformError(error: unknown, transform: TextTransform | undefined): Promise<unknown> {
  if (!transform || !(error instanceof PlatformError)) return error;
  const cooperation = new CooperativeYield();
  try {
    const message = await writeWhole(transform.beginAnswer('text'), error.message, cooperation);
    const { param } = error.details;
    const changedParam =
      param === undefined ? param : await writeWhole(transform.beginAnswer('text'), param, cooperation);
    if (message === error.message && changedParam === param) return error;
    const details = changedParam === undefined ? error.details : { ...error.details, param: changedParam };
    return new PlatformError(error.status, error.type, error.code, message, details);
  } catch (refusal) {
    return refusal;
  }
}

/** Several transforms as one: prompts pass them in order, answers in reverse; undefined where there is none. */
export function composeTransforms(transforms: readonly TextTransform[]): TextTransform | undefined {
  if (transforms.length < 2) return transforms[0];
  const reversed = transforms.toReversed();
  return {
    async transformPrompt(text, format, edits) {
      let changed = text;
      for (const transform of transforms) changed = await transform.transformPrompt(changed, format, edits);
      return changed;
    },
    beginAnswer(format, isRepeat, edits) {
      const answers = reversed.map((transform) => transform.beginAnswer(format, isRepeat, edits));
      return {
        write: (piece) => answers.reduce((text, answer) => answer.write(text), piece),
        end: () => answers.reduce((text, answer) => answer.write(text) + answer.end(), ''),
      };
    },
    placeholdersIn: (text) => transforms.flatMap((transform) => transform.placeholdersIn?.(text) ?? []),
    restore: (text, isGiven) =>
      reversed.reduce((restored, transform) => transform.restore?.(restored, isGiven) ?? restored, text),
    checkUnreadable(direction) {
      for (const transform of transforms) transform.checkUnreadable?.(direction);
    },
    // All are told, also where the first has said that it must.
    endPrompt: () => transforms.map((transform) => transform.endPrompt?.() ?? true).includes(true),
  };
}
