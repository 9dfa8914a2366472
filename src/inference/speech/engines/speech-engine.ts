import type { JsonObject } from '../../../platform/json/json-object.js';
import type { PlaceSeeker } from '../../../platform/async/caller-places.js';
import type { Capability } from '../../backends/backend.js';
import type { AudioTraits, PcmSource, SpeechRequest, TranscriptionRequest } from '../engine.types.js';

/** Who has a text spoken; the signal ends it. */
export type Speaker = PlaceSeeker & { readonly signal: AbortSignal };

/** An engine of this machine, which is a model of the builtin backend. */
export interface SpeechEngine {
  /** The public name of its model. */
  readonly id: string;
  /** Unix seconds since when it answers as it does. */
  readonly created: number;
  readonly capabilities: readonly Capability[];
  readonly audio: AudioTraits;
  /** As `Backend.transcribe`; absent where it does not. */
  transcribe?(request: TranscriptionRequest, signal: AbortSignal, callerId: string): Promise<JsonObject>;
  /** As `Backend.speak`; absent where it does not. */
  speak?(request: SpeechRequest, speaker: Speaker): Promise<PcmSource>;
  /** Ends what runs. */
  close(): Promise<void>;
}
