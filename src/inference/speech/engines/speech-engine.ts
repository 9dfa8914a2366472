import type { BudgetOwner } from '../../../platform/async/shared-budget.js';
import type { JsonObject } from '../../../platform/json/json-object.js';
import type { Capability } from '../../backends/backend.js';
import type { AudioTraits, PcmSource, SpeechRequest, TranscriptionRequest } from '../engine.types.js';

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
  /**
   * As `Backend.speak`; absent where it does not.
   * @throws also RateLimited and Unavailable where the caller finds no place
   */
  speak?(request: SpeechRequest, signal: AbortSignal, caller: BudgetOwner): Promise<PcmSource>;
  /** Ends what runs. */
  close(): Promise<void>;
}
