import type { ScratchFolder } from '../scratch/scratch-folder.js';
import type { WorkTurn } from '../extraction/child/work-turns.js';

/** Why audio was not decoded. `interrupted` says nothing of the file: it may be tried again. */
export type AudioFailureReason =
  | 'unsupported_media_type'
  | 'malformed'
  | 'empty'
  | 'sample_rate'
  | 'too_large'
  | 'needs_ffmpeg'
  | 'timed_out'
  | 'out_of_memory'
  | 'interrupted';

/** A stretch of audio, in seconds from its beginning; `start` < `end`. */
export interface AudioSpan {
  readonly start: number;
  readonly end: number;
}

/** What a file is, by its content. */
export interface AudioType {
  /** Such as `audio/wav`, `audio/mpeg`, `video/mp4`. */
  readonly mediaType: string;
  /** Without a dot; what OpenAI-compatible servers know a file by. */
  readonly extension: string;
  /** What ffmpeg calls the readers of this format; undefined: our own reader reads it. */
  readonly demuxers: string | undefined;
}

/** How one file is decoded. */
export interface DecodeOptions {
  /** Ends it, and its child, at once. */
  readonly signal: AbortSignal;
  /** Where the decoded file goes: a folder of `AudioProcessor.scratch`. */
  readonly folder: Pick<ScratchFolder, 'path' | 'release' | 'reserve' | 'write' | 'written'>;
  /** The longest audio that is taken, in decoded seconds; longer is `too_large`. Default: AUDIO_MAX_HOURS. */
  readonly maxSeconds?: number | undefined;
  /** Whose it is, and how urgent: callers take turns. Absent: it waits for none but a child. */
  readonly turn?: WorkTurn | undefined;
}

/** Audio as engines and the detection of speech want it. */
export interface DecodedAudio {
  /** Counted from decoded samples, never taken from what the file says. */
  readonly durationSeconds: number;
  /** Of the file that was given. */
  readonly type: AudioType;
  /** 16 kHz, mono, PCM of 16 bits. */
  readonly wavPath: string;
  /** Of that file. */
  readonly sizeBytes: number;
  /** Where somebody speaks, in order, without overlap; cut at pauses of 0.1 s and longer. */
  readonly spans: readonly AudioSpan[];
}

/** What speech is written as. `pcm` is 16 bits, little-endian, mono, at the engine's rate, without a header. */
export type AudioFormat = 'wav' | 'pcm' | 'mp3' | 'opus' | 'flac';

/** The samples a second of decoded audio. */
export const DECODED_RATE = 16_000;
