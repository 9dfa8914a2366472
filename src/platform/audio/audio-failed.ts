import type { AudioFailureReason, AudioType } from './audio.types.js';

const SENTENCES: Readonly<Record<AudioFailureReason, string>> = {
  unsupported_media_type: 'The file is no audio of a kind that is read.',
  malformed: 'The audio is damaged, or is not what it seems to be.',
  empty: 'The file holds no audio.',
  sample_rate: 'The audio has fewer than 8,000 or more than 384,000 samples a second, or a rate that cannot be read.',
  too_large: 'The audio is longer than can be taken.',
  needs_ffmpeg: 'Audio other than WAV needs the program ffmpeg, which is not installed here.',
  timed_out: 'The audio took too long to decode.',
  out_of_memory: 'The audio needs more memory to decode than it may have.',
  interrupted: 'Decoding the audio was interrupted.',
};

/** What a child may have come to, in the words of audio. */
const OF_CHILDREN: Readonly<Record<string, AudioFailureReason>> = { timeout: 'timed_out', failed: 'malformed' };

/** Audio cannot be decoded. The message is a sentence for users, and holds nothing of the file. */
export class AudioFailed extends Error {
  readonly reason: AudioFailureReason;
  /** Of the file, where it alone is why: another program may read it. */
  readonly type: AudioType | undefined;

  constructor(reason: AudioFailureReason, type?: AudioType) {
    super(SENTENCES[reason]);
    this.name = 'AudioFailed';
    this.reason = reason;
    this.type = type;
  }
}

/** What a child's reason means; one that is not known is `malformed`. */
export function toAudioFailure(reason: string): AudioFailed {
  if (Object.hasOwn(SENTENCES, reason)) return new AudioFailed(reason as AudioFailureReason);
  return new AudioFailed(OF_CHILDREN[reason] ?? 'malformed');
}
