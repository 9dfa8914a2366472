import { Conflict } from '../../errors.js';
import { heardSeconds } from '../../inference/domain.js';
import type { TranscribeCall, TranscribedAudio, TranscribeLimits } from '../../inference/speech/speech.types.js';
import { AudioFailed } from '../../platform/audio/audio-failed.js';
import type { AudioType } from '../../platform/audio/audio.types.js';
import { placeAnswer } from './answer-placement.js';
import type { Chunk, PlacedChunk } from './transcripts.types.js';

/** No codec of speech that engines take writes fewer bytes for a second. */
const LEAST_BYTES_A_SECOND = 500;

/** Audio that cannot be decoded here, and is given to an engine as it came. */
export interface WholeAudio {
  readonly type: AudioType;
  readonly path: string;
  readonly sizeBytes: number;
}

/** What a call says of such audio. */
export type WholeCall = Pick<TranscribeCall, 'area' | 'audio' | 'audioSeconds' | 'isUndecoded' | 'prompt'>;

/** The type of a file that only ffmpeg could decode, which is not here; undefined for all other errors. */
export function undecodedType(error: unknown): AudioType | undefined {
  return error instanceof AudioFailed && error.reason === 'needs_ffmpeg' ? error.type : undefined;
}

/**
 * Checks that an engine takes a file as it is.
 * @throws Conflict `capability_not_supported`
 */
export function requireTaken(
  { model, mediaTypes, maxBytes }: TranscribeLimits,
  { type: { mediaType }, sizeBytes }: Pick<WholeAudio, 'type' | 'sizeBytes'>,
): void {
  // Engines that name WAV take what is decoded here, and not what may be in such a file.
  const takesType = mediaTypes === 'any' || (mediaType !== 'audio/wav' && mediaTypes.includes(mediaType));
  if (takesType && sizeBytes <= maxBytes) return;
  const why = takesType ? `takes at most ${maxBytes} bytes of it` : 'does not take it';
  const message = `${new AudioFailed('needs_ffmpeg').message} As it is, the model ${model} ${why}.`;
  throw new Conflict('capability_not_supported', message, 'file');
}

/** The one chunk of audio that nobody has decoded: it has no pieces, and lasts as long as the file may. */
export function toWholeChunk({ sizeBytes }: WholeAudio, { maxSeconds }: TranscribeLimits): Chunk {
  return { index: 0, pieces: [], spans: [], seconds: Math.min(maxSeconds, longestSeconds(sizeBytes)) };
}

/** Whether a chunk is a file that nobody has decoded. */
export function isWholeChunk({ pieces }: Chunk): boolean {
  return pieces.length === 0;
}

/**
 * What an engine says to a file that nobody has decoded. An engine that repeats itself is asked once more, without the
 * prompt. Where somebody speaks in it only the engine knows, so nothing is left out.
 * @param prompt what the engine is told beforehand; empty: nothing
 * @throws what `ask` throws
 */
export async function transcribeWhole(
  ask: (call: WholeCall) => Promise<TranscribedAudio>,
  { path, sizeBytes, type }: WholeAudio,
  { seconds: audioSeconds }: Chunk,
  prompt: string,
): Promise<PlacedChunk> {
  const audio = { path, mediaType: type.mediaType, filename: `audio.${type.extension}`, sizeBytes };
  const call: WholeCall = { area: 'echo', audio, audioSeconds, isUndecoded: true };
  const placed = placeWhole(await ask({ ...call, ...(prompt !== '' && { prompt }) }), sizeBytes);
  if (!placed.isLoop || prompt === '') return placed;
  return placeWhole(await ask(call), sizeBytes);
}

function placeWhole(answer: TranscribedAudio, sizeBytes: number): PlacedChunk {
  const most = longestSeconds(sizeBytes);
  const { durationSeconds: told } = answer;
  const isTold = told !== null && told > 0 && told <= most;
  const end = Math.min(most, (isTold ? told : heardSeconds({ ...answer, durationSeconds: null })) ?? 0);
  const span = { start: 0, end };
  const placed = placeAnswer(answer, { index: 0, pieces: [{ ...span, at: 0 }], spans: [span], seconds: end });
  return isTold ? { ...placed, durationSeconds: told } : placed;
}

function longestSeconds(sizeBytes: number): number {
  return sizeBytes / LEAST_BYTES_A_SECOND;
}
