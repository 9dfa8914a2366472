import type { TranscriptWarning } from '../results/transcript-warning.types.js';
import { joinChunks } from '../transcripts/join-chunks.js';
import type { Transcript, TranscriptSegment } from '../transcripts/transcripts.types.js';
import { isWholeChunk } from '../transcripts/whole-audio.js';
import type { RunAudio } from './run-audio.js';
import type { TranscriptionChunk } from './transcription-chunk.entity.js';

const NOT_DECODED: TranscriptWarning = {
  type: 'unchecked',
  message: 'The audio could not be decoded here, so nobody has checked where somebody speaks.',
};

/** A transcript without speakers, and what is wrong with it. */
export interface AssembledTranscript {
  readonly transcript: Transcript;
  readonly warnings: readonly TranscriptWarning[];
}

/** Puts the chunks of a run together; what could not be transcribed is told as a gap. */
export function assembleTranscript(
  chunks: readonly TranscriptionChunk[],
  { decoded, whole }: RunAudio,
): AssembledTranscript {
  const transcript = joinChunks(
    chunks.flatMap(({ answer }) => answer ?? []),
    decoded?.durationSeconds ?? null,
  );
  const warnings = chunks.flatMap(warningsOf);
  return { transcript, warnings: whole ? [NOT_DECODED, ...warnings] : warnings };
}

/** Whether an engine has told speakers apart in all that was said at once: between two calls its labels mean nothing. */
export function hasOwnSpeakers(chunks: readonly TranscriptionChunk[], segments: readonly TranscriptSegment[]): boolean {
  return chunks.length === 1 && segments.some(({ speaker }) => speaker !== null);
}

/** The same without the labels that an engine has given. */
export function withoutSpeakers(transcript: Transcript): Transcript {
  const segments = transcript.segments.map((segment) => ({
    ...segment,
    speaker: null,
    words: segment.words && segment.words.map((word) => ({ ...word, speaker: null })),
  }));
  return { ...transcript, segments };
}

function warningsOf({ chunk, answer, failure }: TranscriptionChunk): TranscriptWarning[] {
  const doubts = [
    ...(answer?.isLoop ? ['The model has repeated itself here.'] : []),
    ...(answer?.hasFalseTimes ? ['The model has told times here that cannot be.'] : []),
  ].map((message) => ({ type: 'low_confidence', message }) as const);
  if (isWholeChunk(chunk)) return doubts;
  const [start, end] = [toMilliseconds(chunk.spans[0]?.start ?? 0), toMilliseconds(chunk.spans.at(-1)?.end ?? 0)];
  if (failure !== null) {
    const message = 'What was said here could not be transcribed.';
    return [{ type: 'gap', message, start, end, reason: failure }];
  }
  return doubts.map((doubt) => ({ ...doubt, start, end }));
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
