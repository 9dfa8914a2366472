import type { AudioSpan } from '../audio.types.js';

/** One file, as the child is told of it. */
export interface DecodeTask {
  /** Where the decoded file goes. */
  readonly wavPath: string;
  /** Of decoded audio. */
  readonly maxSeconds: number;
  /** Undefined: the input is a WAV file. */
  readonly ffmpeg?: {
    readonly program: string;
    readonly path: string;
    readonly demuxers: string;
  };
}

/** What is told at once of the decoded file as it grows, in bytes. */
export const DECODED_STEP_BYTES = 1024 * 1024;

/** What the child answers: spans as they are found, how long the file is meanwhile, at last how long the audio is. */
export type DecodeAnswer =
  | { readonly spans: readonly AudioSpan[] }
  | { readonly writtenBytes: number }
  | { readonly durationSeconds: number; readonly sizeBytes: number };
