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

/** What the child answers: spans as they are found, at last how long the audio is. */
export type DecodeAnswer =
  | { readonly spans: readonly AudioSpan[] }
  | { readonly durationSeconds: number; readonly sizeBytes: number };
