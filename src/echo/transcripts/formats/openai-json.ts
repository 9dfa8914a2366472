import type { JsonObject } from '../../../platform/json/json-object.js';
import type { Transcript, TranscriptSegment, TranscriptWord } from '../transcripts.types.js';
import { speakerName } from './speaker-names.js';
import type { SpeakerNames } from './speaker-names.js';

/** Which times OpenAI's `verbose_json` has. */
export type Granularity = 'word' | 'segment';

/** What is asked of `verbose_json`. */
export interface VerboseOptions {
  readonly task: 'transcribe' | 'translate';
  readonly granularities: ReadonlySet<Granularity>;
}

/** OpenAI's `verbose_json`. Words and segments are there where they are asked for. */
export function toVerboseJson(transcript: Transcript, { task, granularities }: VerboseOptions): JsonObject {
  const { text, language, segments } = transcript;
  return {
    task,
    language: language ?? 'unknown',
    duration: rounded(leastSeconds(transcript)),
    text,
    ...(granularities.has('segment') ? { segments: segments.map(toVerboseSegment) } : {}),
    ...(granularities.has('word') ? { words: wordsOf(segments).map(toVerboseWord) } : {}),
  };
}

/** OpenAI's `diarized_json`. Speech of nobody who is told from others has the speaker `unknown`. */
export function toDiarizedJson(transcript: Transcript, names: SpeakerNames = {}): JsonObject {
  const { text, segments } = transcript;
  return {
    task: 'transcribe',
    duration: rounded(leastSeconds(transcript)),
    text,
    segments: segments.map((segment, index) => ({
      type: 'transcript.text.segment',
      ...toDiarizedSegment(segment, index, names),
    })),
  };
}

/** A segment as `diarized_json` and the event `transcript.text.segment` have it. */
export function toDiarizedSegment(segment: TranscriptSegment, index: number, names: SpeakerNames = {}): JsonObject {
  return {
    id: `seg_${index}`,
    start: rounded(segment.start),
    end: rounded(segment.end),
    text: segment.text,
    speaker: speakerName(segment.speaker, names) ?? 'unknown',
  };
}

/** All words of segments. */
export function wordsOf(segments: readonly TranscriptSegment[]): TranscriptWord[] {
  return segments.flatMap(({ words }) => words ?? []);
}

/** Clients expect a number: where the length is not known, all that was said lies within it. */
function leastSeconds({ durationSeconds, segments }: Transcript): number {
  return durationSeconds ?? segments.at(-1)?.end ?? 0;
}

function toVerboseWord({ word, start, end }: TranscriptWord): JsonObject {
  return { word, start: rounded(start), end: rounded(end) };
}

/** What engines do not tell to us is what clients take for nothing unusual. */
function toVerboseSegment({ start, end, text, lowConfidence }: TranscriptSegment, id: number): JsonObject {
  return {
    id,
    seek: 0,
    start: rounded(start),
    end: rounded(end),
    text,
    tokens: [],
    temperature: 0,
    avg_logprob: 0,
    compression_ratio: 1,
    no_speech_prob: 0,
    ...(lowConfidence ? { low_confidence: true } : {}),
  };
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
