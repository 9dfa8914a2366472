import { Readable } from 'node:stream';
import type { CallOwner } from '../../access/caller.js';
import type { CallContext, Models } from '../../inference/domain.js';
import type { TranscribeLimits } from '../../inference/speech/speech.types.js';
import { DECODED_RATE } from '../../platform/audio/audio.types.js';
import type { AudioProcessor } from '../../platform/audio/audio-processor.js';
import { wavHead } from '../../platform/audio/wav/wav-head.js';
import type { Scratch } from '../../platform/scratch/scratch.js';
import type { ScratchFolder } from '../../platform/scratch/scratch-folder.js';
import { placeAnswer } from '../transcripts/answer-placement.js';
import { planChunks } from '../transcripts/chunk-plan.js';
import { joinChunks } from '../transcripts/join-chunks.js';
import { SpanTable } from '../transcripts/span-table.js';
import { AcrossReader } from '../transcripts/read-across.js';
import { withChunkFile } from '../transcripts/transcribe-chunk.js';
import type { Chunk, PlacedChunk, Transcript, TranscriptSegment } from '../transcripts/transcripts.types.js';

interface LiveTranscriberParts {
  readonly models: Models;
  readonly audio: Pick<AudioProcessor, 'decode' | 'warm'>;
  readonly scratch: Pick<Scratch, 'folderFor'>;
}

/** What a turn is transcribed by. */
export interface TurnOptions {
  readonly model: string | undefined;
  readonly language: string | undefined;
  readonly prompt: string | undefined;
  /** What was said in the turns before, which is told already. */
  readonly before?: readonly TranscriptSegment[] | undefined;
  readonly context: CallContext;
}

/** What was said in a turn, and the seconds that its calls were charged. */
export interface LiveTranscript extends Transcript {
  readonly chargedSeconds: number;
}

/** Transcribes what was said in one turn: only where somebody speaks, as in a recording. */
export class LiveTranscriber {
  constructor(private readonly parts: LiveTranscriberParts) {}

  /** A turn comes soon. Never fails. */
  warm(): void {
    this.parts.audio.warm();
  }

  /**
   * @param samples of 16 kHz, 16 bits
   * @throws PlatformError of the model port; AudioFailed; the reason of the signal
   */
  async transcribe(caller: CallOwner, samples: Buffer, options: TurnOptions): Promise<LiveTranscript> {
    const { audio, models, scratch } = this.parts;
    const { signal } = options.context;
    await using folder = await scratch.folderFor(caller);
    const head = wavHead(DECODED_RATE, samples.length);
    const expectedBytes = head.length + samples.length;
    const path = await folder.write('turn.wav', Readable.from([head, samples]), { expectedBytes, signal });
    const { tenantId, userId } = caller;
    const turn = { tenantId, userId, kind: 'live' } as const;
    const decoded = await audio.decode(path, { signal, folder, turn });
    const limits = await models.transcribeLimits(caller, options.model);
    const charged = { seconds: 0 };
    const place = { ...options, limits, folder, wavPath: decoded.wavPath, charged };
    const asked = this.askAll(caller, planChunks(decoded.spans, decoded.durationSeconds, limits), place);
    const across = AcrossReader.of(models, { caller, model: limits.model, context: options.context });
    const placed: PlacedChunk[] = [];
    for await (const chunk of asked) {
      if (across) await across.add(placed, chunk, options.before);
      else placed.push(chunk);
    }
    return { ...joinChunks(placed, decoded.durationSeconds), chargedSeconds: charged.seconds };
  }

  private async *askAll(
    caller: CallOwner,
    chunks: readonly Chunk[],
    place: TurnOptions & ChunkPlace,
  ): AsyncGenerator<PlacedChunk, void, undefined> {
    for (const chunk of chunks) yield await this.ask(caller, chunk, place);
  }

  private async ask(
    caller: CallOwner,
    chunk: Chunk,
    { limits, folder, wavPath, language, prompt, context, charged }: TurnOptions & ChunkPlace,
  ): Promise<PlacedChunk> {
    const { signal } = context;
    const heard = await withChunkFile({ wavPath, folder, signal }, chunk, (file) =>
      this.parts.models.transcribe(caller, {
        area: 'echo',
        model: limits.model,
        audio: { ...file, mediaType: 'audio/wav', filename: 'turn.wav' },
        audioSeconds: chunk.seconds,
        spans: new SpanTable(chunk).fileSpans,
        language,
        prompt,
        wantsWords: true,
        wantsSegments: true,
        context,
      }),
    );
    charged.seconds += heard.chargedSeconds;
    return placeAnswer(heard, chunk);
  }
}

interface ChunkPlace {
  readonly limits: TranscribeLimits;
  readonly folder: ScratchFolder;
  readonly wavPath: string;
  readonly charged: { seconds: number };
}
