import type { TranscribedAudio, TranscribedSegment, TranscribedWord } from '../../inference/speech/speech.types.js';
import { isLooping } from './loops.js';
import { textOf, toSegments } from './segments.js';
import { SpanTable } from './span-table.js';
import { alignText } from './text-alignment.js';
import { repairTimes } from './time-repair.js';
import type { Chunk, PlacedChunk, TranscriptSegment, TranscriptWord } from './transcripts.types.js';

type Answer = Pick<TranscribedAudio, 'text' | 'language' | 'words' | 'segments'>;

/**
 * Puts what an engine said to a chunk where it was said in the recording. What lies where nobody speaks is left out: an
 * engine has made it up. Nothing of the engine's times is believed that cannot be.
 */
export function placeAnswer(answer: Answer, chunk: Chunk): PlacedChunk {
  const { text, language } = answer;
  const common = { language, isLoop: isLooping(text) };
  const table = new SpanTable(chunk);
  const words = answer.words && answer.words.length > 0 ? repairTimes(answer.words, chunk.seconds) : undefined;
  const segments = answer.segments ? repairTimes(answer.segments, chunk.seconds) : undefined;
  if (words) return { ...common, timing: 'words', ...placeWords(words, segments ?? [], text, table) };
  if (segments && (segments.length > 0 || text.trim() === '')) {
    return { ...common, timing: 'segments', ...placeSegments(segments, table) };
  }
  return { ...common, timing: 'none', ...placeText(text, chunk) };
}

type Placed = Pick<PlacedChunk, 'segments' | 'dropped'>;

function placeWords(
  words: readonly TranscribedWord[],
  segments: readonly TranscribedSegment[],
  text: string,
  table: SpanTable,
): Placed {
  const displays = alignText(
    text,
    words.map(({ word }) => word),
  );
  const placed: TranscriptWord[] = [];
  const groups: number[] = [];
  let group = 0;
  for (const [index, { word, confidence, ...span }] of words.entries()) {
    const middle = (span.start + span.end) / 2;
    while (group < segments.length - 1 && middle >= (segments[group + 1]?.start ?? 0)) group += 1;
    const place = table.place(span);
    if (!place) continue;
    const speaker = segments[group]?.speaker ?? null;
    placed.push({ ...place, word: word.trim(), display: displays[index] ?? '', confidence, speaker });
    groups.push(group);
  }
  return {
    segments: toSegments(placed, segments.length > 0 ? groups : undefined),
    dropped: words.length - placed.length,
  };
}

function placeSegments(segments: readonly TranscribedSegment[], table: SpanTable): Placed {
  const placed = segments.flatMap(({ text, speaker, ...span }): TranscriptSegment[] => {
    const place = table.place(span);
    const line = textOf([text]);
    return place && line !== '' ? [{ ...place, text: line, speaker, words: null, lowConfidence: false }] : [];
  });
  return { segments: placed, dropped: segments.length - placed.length };
}

/** All that is known is that somebody speaks between the chunk's beginning and end. */
function placeText(text: string, { spans }: Chunk): Placed {
  const line = textOf([text]);
  const [first, last] = [spans[0], spans.at(-1)];
  if (line === '' || !first || !last) return { segments: [], dropped: 0 };
  const segment = { start: first.start, end: last.end, text: line, speaker: null, words: null, lowConfidence: false };
  return { segments: [segment], dropped: 0 };
}
