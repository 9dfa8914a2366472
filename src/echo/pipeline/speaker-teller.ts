import type { DecodedAudio } from '../../platform/audio/audio.types.js';
import { ChildFailed } from '../../platform/extraction/child/child-failed.js';
import type { ChildPool } from '../../platform/extraction/child/child-pool.js';
import type { TranscriptWarning } from '../results/transcript-warning.types.js';
import { assignSpeakers } from '../speakers/assign-speakers.js';
import { tellSpeakers } from '../speakers/tell-speakers.js';
import type { SpokenAudioFile } from '../speakers/tell-speakers.js';
import { hasOwnSpeakers, withoutSpeakers } from './assemble-transcript.js';
import type { AssembledTranscript } from './assemble-transcript.js';
import type { TranscriptionChunk } from './transcription-chunk.entity.js';

const NO_TIMES: TranscriptWarning = {
  type: 'no_speakers',
  message: 'The model does not tell when something was said, so speakers cannot be told apart.',
};
const NOT_TOLD: TranscriptWarning = { type: 'no_speakers', message: 'Speakers could not be told apart.' };

/** Says who said what in a transcript: as the engine says where it knows, otherwise by the voices. */
export class SpeakerTeller {
  /** @param children those that decode audio */
  constructor(private readonly children: Pick<ChildPool, 'run'>) {}

  /** @param decoded undefined: only the engine knows the voices @throws the reason of the signal, what the file system throws */
  async tell(
    assembled: AssembledTranscript,
    chunks: readonly TranscriptionChunk[],
    decoded: Pick<DecodedAudio, 'wavPath' | 'spans'> | undefined,
    { signal, turn }: Required<Pick<SpokenAudioFile, 'signal' | 'turn'>>,
  ): Promise<AssembledTranscript> {
    const { transcript, warnings } = assembled;
    if (transcript.segments.length === 0 || hasOwnSpeakers(chunks, transcript.segments)) return assembled;
    const bare = withoutSpeakers(transcript);
    if (transcript.timing === 'none') return { transcript: bare, warnings: [...warnings, NO_TIMES] };
    if (!decoded) return { transcript: bare, warnings: [...warnings, NOT_TOLD] };
    const { wavPath, spans } = decoded;
    try {
      const turns = await tellSpeakers(this.children, { wavPath, spans, signal, turn });
      return { transcript: assignSpeakers(bare, turns), warnings };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ChildFailed)) throw error;
      return { transcript: bare, warnings: [...warnings, NOT_TOLD] };
    }
  }
}
