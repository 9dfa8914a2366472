import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { TranscribeLimits } from '../../inference/speech/speech.types.js';
import type { AudioProcessor } from '../../platform/audio/audio-processor.js';
import type { DecodedAudio } from '../../platform/audio/audio.types.js';
import type { ScratchFolder } from '../../platform/scratch/scratch-folder.js';
import type { WorkTurn } from '../../platform/extraction/child/work-turns.js';
import type { AudioPieces } from '../recordings/audio-pieces.js';
import { planChunks } from '../transcripts/chunk-plan.js';
import type { Chunk } from '../transcripts/transcripts.types.js';
import { requireTaken, toWholeChunk, undecodedType } from '../transcripts/whole-audio.js';
import type { WholeAudio } from '../transcripts/whole-audio.js';

/** The audio of a run: decoded, or as it was sent where it cannot be decoded here. One of both is there. */
export interface RunAudio {
  readonly decoded: DecodedAudio | undefined;
  readonly whole: WholeAudio | undefined;
}

/** Where the audio of a run is, and where it may lie. */
export interface RunAudioPlace {
  readonly recordingId: string;
  readonly sizeBytes: number;
  readonly folder: ScratchFolder;
  readonly signal: AbortSignal;
  /** Whose it is: callers take turns at decoding. */
  readonly turn: WorkTurn;
}

interface RunAudioReaderParts {
  readonly pieces: Pick<AudioPieces, 'open'>;
  readonly audio: Pick<AudioProcessor, 'decode'>;
}

/** Makes the stored audio of recordings ready for engines. */
export class RunAudioReader {
  constructor(private readonly parts: RunAudioReaderParts) {}

  /**
   * Decodes the audio. What cannot be decoded here is written as it is for an engine that takes it.
   * @param limits of the engine that would be asked; asked for where they matter
   * @throws AudioFailed; Conflict `capability_not_supported`, and what `limits` throws; the reason of the signal
   */
  async read(place: RunAudioPlace, limits: () => Promise<TranscribeLimits>): Promise<RunAudio> {
    const { sizeBytes, folder, signal, turn } = place;
    try {
      const decoded = await this.parts.audio.decode(this.bytes(place), { signal, folder, turn });
      return { decoded, whole: undefined };
    } catch (error) {
      const type = undecodedType(error);
      if (!type) throw error;
      requireTaken(await limits(), { type, sizeBytes });
      const path = await folder.write('whole', this.bytes(place), { expectedBytes: sizeBytes, signal });
      return { decoded: undefined, whole: { type, path, sizeBytes } };
    }
  }

  /** @returns the SHA-256 of the audio, in hexadecimal digits */
  async hash({ recordingId, signal }: Pick<RunAudioPlace, 'recordingId' | 'signal'>): Promise<string> {
    const hash = createHash('sha256');
    for await (const bytes of this.parts.pieces.open(recordingId, { signal })) hash.update(bytes);
    return hash.digest('hex');
  }

  private bytes({ recordingId, signal }: RunAudioPlace): Readable {
    return Readable.from(this.parts.pieces.open(recordingId, { signal }), { objectMode: false });
  }
}

/** What an engine is asked of the audio of a run. */
export function planRun({ decoded, whole }: RunAudio, limits: TranscribeLimits): Chunk[] {
  if (whole) return [toWholeChunk(whole, limits)];
  return decoded ? planChunks(decoded.spans, decoded.durationSeconds, limits) : [];
}
