import type { AudioSpan } from '../../platform/audio/audio.types.js';

/** A stretch of speech of one person. */
export interface SpeakerTurn extends AudioSpan {
  /** `S1`, `S2` … in the order in which they first speak; null: too short to be told from others, and like none of them. */
  readonly speaker: string | null;
}

/** What the child is told: the lengths of the stretches of speech that follow as samples, one after another. */
export interface SpeakersTask {
  readonly spans: readonly AudioSpan[];
}
