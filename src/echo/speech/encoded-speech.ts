import type { SpokenAudio } from '../../inference/speech/speech.types.js';

/** Speech in the format that was asked for, while it is made. */
export interface EncodedSpeech {
  readonly spoken: SpokenAudio;
  readonly encoded: AsyncIterable<Buffer>;
}
