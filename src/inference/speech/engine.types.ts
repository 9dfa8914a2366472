import type { JsonObject } from '../../platform/json/json-object.js';
import type { AudioFile, AudioSpan, Voice } from './audio.types.js';

/** What a model takes and gives of sound. */
export interface AudioTraits {
  /** The longest recording of one call. */
  readonly maxSeconds: number;
  /** The largest file of one call. */
  readonly maxBytes: number;
  readonly mediaTypes: readonly string[] | 'any';
  readonly givesWords: boolean;
  readonly givesSegments: boolean;
  readonly givesSpeakers: boolean;
  readonly translates: boolean;
  /** The only languages that it understands, by their first part (BCP 47); undefined: it does not say. */
  readonly languages?: readonly string[];
  /** Those that are known; the first speaks where none is named. */
  readonly voices: readonly Voice[];
}

/** What one engine is asked to transcribe. */
export interface TranscriptionRequest {
  /** The engine's own name of the model. */
  readonly model: string;
  readonly traits: AudioTraits;
  readonly audio: AudioFile;
  readonly spans?: readonly AudioSpan[] | undefined;
  readonly wantsWords: boolean;
  readonly wantsSegments: boolean;
  readonly wantsSpeakers: boolean;
  readonly translate: boolean;
  /** `language`, `prompt`, `temperature` where they are set, and what the caller sent beside. */
  readonly fields: JsonObject;
}

/** What one engine is asked to say. */
export interface SpeechRequest {
  /** The engine's own name of the model. */
  readonly model: string;
  readonly traits: AudioTraits;
  readonly input: string;
  readonly voice?: string | undefined;
  /** 1 is the engine's own pace. */
  readonly speed: number;
  /** What the caller sent beside. */
  readonly fields: JsonObject;
}

/** Signed 16-bit little-endian samples of one channel, as they are made. */
export interface PcmSource {
  /** In hertz. */
  readonly sampleRate: number;
  /**
   * Whole samples; undefined at the end. One call at a time.
   * @throws PlatformError where the engine fails, or the reason of the call's signal
   */
  next(): Promise<Buffer | undefined>;
  /** Ends the work at once. Never fails. */
  cancel(): void;
}
