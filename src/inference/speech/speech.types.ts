import type { MeteredUsage } from '../../metering/metering.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { CallContext } from '../calls/model-call.js';
import type { AudioFile, AudioSpan, Voice } from './audio.types.js';

export type { AudioFile, AudioSpan, Voice } from './audio.types.js';

/** One call of an engine that transcribes. The audio is a file within the engine's limits (`TranscribeLimits`). */
export interface TranscribeCall {
  readonly area: 'echo';
  /** The public name. Left out: the first model that can, and that the policy allows; backends before builtin ones. */
  readonly model?: string | undefined;
  readonly audio: AudioFile;
  /** Decoded length, for the quota and the ledger. */
  readonly audioSeconds: number;
  /**
   * Whether nobody has decoded the file: then `audioSeconds` is the most that it may have, which is reserved, and what the
   * engine tells is charged, or all of it where the engine tells nothing.
   */
  readonly isUndecoded?: boolean | undefined;
  /** Where somebody speaks within the file; engines that want spans get them. Absent: the whole file. */
  readonly spans?: readonly AudioSpan[] | undefined;
  readonly language?: string | undefined;
  readonly prompt?: string | undefined;
  readonly temperature?: number | undefined;
  readonly wantsWords: boolean;
  readonly wantsSegments: boolean;
  /** Asks for the engine's own diarization; engines without it ignore this. */
  readonly wantsSpeakers?: boolean | undefined;
  /** Into English, by an engine that can. */
  readonly translate?: boolean | undefined;
  /** Further fields of the caller, passed to a backend as they are. */
  readonly extra?: JsonObject | undefined;
  /** Of the request or job that the call is made for, with the signal that ends it. */
  readonly context: CallContext;
}

/** A word as an engine said it. */
export interface TranscribedWord extends AudioSpan {
  readonly word: string;
  /** From 0 to 1; null where the engine tells none. */
  readonly confidence: number | null;
}

/** A stretch of text as an engine cut it. */
export interface TranscribedSegment extends AudioSpan {
  readonly text: string;
  /** The engine's own label; null where it tells none. */
  readonly speaker: string | null;
}

/**
 * What an engine said: times are finite seconds from the start of the file, otherwise unchecked: they may go backward or
 * lie outside the audio.
 */
export interface TranscribedAudio {
  /** The public name of the model that was asked. */
  readonly model: string;
  readonly text: string;
  readonly language: string | null;
  readonly durationSeconds: number | null;
  /** Null where the engine told none. */
  readonly words: readonly TranscribedWord[] | null;
  /** Null where the engine told none. */
  readonly segments: readonly TranscribedSegment[] | null;
  /** The engine's whole answer, where it was JSON, for fields that have no place above; its words and segments are unchecked. */
  readonly raw: JsonObject | null;
}

/** What an engine said, and what that was charged. */
export interface ChargedTranscript extends TranscribedAudio {
  /** Whole seconds of audio, as the ledger and the quota have them. */
  readonly chargedSeconds: number;
}

/** What the engine that would be asked takes and gives. */
export interface TranscribeLimits {
  /** The public name of the model that would be asked. */
  readonly model: string;
  /** The longest audio of one call. */
  readonly maxSeconds: number;
  /** The largest file of one call. */
  readonly maxBytes: number;
  readonly mediaTypes: readonly string[] | 'any';
  /** Whether it can tell when each word is said. A model server that is expected to may still tell none. */
  readonly givesWords: boolean;
  readonly givesSegments: boolean;
  /** Whether it tells speakers apart by itself. */
  readonly givesSpeakers: boolean;
  /** Whether it translates into English. */
  readonly translates: boolean;
}

/** A text that is to be spoken. A long one is spoken in pieces, each of which is a call of the engine. */
export interface SpeakCall {
  readonly area: 'echo';
  /** As in `TranscribeCall`. */
  readonly model?: string | undefined;
  /** Of any length. */
  readonly input: string;
  /** One that `voices` lists, or whatever name a model server knows. Left out: the engine's first. */
  readonly voice?: string | undefined;
  /** 1 is the engine's own pace; 0.25 to 4. */
  readonly speed?: number | undefined;
  /** Further fields of the caller, passed to a backend as they are. */
  readonly extra?: JsonObject | undefined;
  /** Of the request that the call is made for, with the signal that ends it. */
  readonly context: CallContext;
}

/** What an engine says, while it says it: signed 16-bit little-endian samples of one channel. */
export interface SpokenAudio {
  /** The public name of the model that was asked. */
  readonly model: string;
  /** In hertz. */
  readonly sampleRate: number;
  /**
   * The samples, whole ones only; may be read once, and must be read to the end or left with `return()`. Ends when the
   * call's record is durable; throws PlatformError where the engine fails after it began.
   */
  readonly samples: AsyncIterable<Buffer>;
  /** What the calls have used that are over. */
  usage(): MeteredUsage;
}

/** The voices of one model. */
export interface ModelVoices {
  /** The public name. */
  readonly model: string;
  readonly voices: readonly Voice[];
}

/** A model that transcribes or speaks. */
export interface SpeechEngine {
  /** The public name. */
  readonly model: string;
  readonly operations: readonly ('transcribe' | 'speech')[];
  /** Whether one of its servers answers. */
  readonly isHealthy: boolean;
}
