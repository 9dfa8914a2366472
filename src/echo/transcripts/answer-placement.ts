import type { TranscribedAudio, TranscribedSegment, TranscribedWord } from '../../inference/speech/speech.types.js';
import type { AudioSpan } from '../../platform/audio/audio.types.js';
import { isLooping } from './loops.js';
import { textOf, toSegments } from './segments.js';
import { SpanTable } from './span-table.js';
import { alignText } from './text-alignment.js';
import { repairTimes } from './time-repair.js';
import type { Chunk, PlacedChunk, TranscriptSegment, TranscriptWord } from './transcripts.types.js';

/** Engines count beyond the end of a file by so much. */
const BEHIND_SECONDS = 0.5;

/** Words that say less of a text than this share are not those of it. */
const LEAST_SHARE = 0.4;

type Answer = Pick<TranscribedAudio, 'text' | 'language' | 'words' | 'segments'>;

/**
 * Puts what an engine said to a chunk where it was said in the recording. What lies where nobody speaks is left out: an
 * engine has made it up. Nothing of the engine's times is believed that cannot be.
 */
export function placeAnswer(answer: Answer, chunk: Chunk): PlacedChunk {
  const placed = placeByTimes(answer, chunk);
  const told = placed.segments.map(({ text }) => text).join(' ');
  return { ...placed, language: answer.language, isLoop: isLooping(answer.text) || isLooping(told) };
}

function placeByTimes(answer: Answer, chunk: Chunk): Omit<PlacedChunk, 'isLoop' | 'language'> {
  const { text } = answer;
  const table = new SpanTable(chunk);
  const heard = coverText(answer.words ?? [], text) ? withDisplays(answer.words ?? [], text) : [];
  const words = heard.length > 0 ? timed(heard, chunk) : undefined;
  const segments = answer.segments ? timed(answer.segments, chunk) : undefined;
  if (words) {
    const { placed, groups } = placeWords(words, segments ?? [], table);
    const dropped = heard.length - placed.length;
    return { timing: 'words', segments: toSegments(placed, groups), dropped };
  }
  if (answer.segments && segments && (answer.segments.length > 0 || text.trim() === '')) {
    const placed = placeSegments(segments, table);
    return { timing: 'segments', segments: placed, dropped: answer.segments.length - placed.length };
  }
  const hasFalseTimes = (answer.words?.length ?? 0) + (answer.segments?.length ?? 0) > 0;
  return { timing: 'none', ...placeText(text, chunk), ...(hasFalseTimes && { hasFalseTimes }) };
}

/** Whether words say most of a text: the times of a few tell nothing of the others. */
function coverText(words: readonly TranscribedWord[], text: string): boolean {
  const units = words.reduce((sum, { word }) => sum + word.trim().length, 0);
  return units >= LEAST_SHARE * text.replaceAll(/\s+/g, '').length;
}

/** A word with what of the text belongs to it. */
type DisplayedWord = TranscribedWord & Pick<TranscriptWord, 'display'>;

function withDisplays(words: readonly TranscribedWord[], text: string): DisplayedWord[] {
  const displays = alignText(
    text,
    words.map(({ word }) => word),
  );
  return words.map((word, index) => ({ ...word, display: displays[index] ?? '' }));
}

/** With times that can be; undefined where most of them are of no use, or all lie behind the end of the file. */
function timed<Item extends AudioSpan>(items: readonly Item[], chunk: Chunk): Item[] | undefined {
  const within = withinFile(items, chunk);
  return items.length > 0 && within.length === 0 ? undefined : repairTimes(within, chunk.seconds);
}

/** What an engine has heard behind the end of the file was made up; times that are no numbers say nothing. */
function withinFile<Item extends AudioSpan>(items: readonly Item[], { seconds }: Chunk): Item[] {
  return items.filter(({ start }) => !(start > seconds + BEHIND_SECONDS));
}

function placeWords(
  words: readonly DisplayedWord[],
  segments: readonly TranscribedSegment[],
  table: SpanTable,
): { readonly placed: TranscriptWord[]; readonly groups: number[] | undefined } {
  const placed: TranscriptWord[] = [];
  const groups: number[] = [];
  let group = 0;
  for (const { word, confidence, display, ...span } of words) {
    const middle = (span.start + span.end) / 2;
    while (group < segments.length - 1 && middle >= (segments[group + 1]?.start ?? 0)) group += 1;
    const place = table.place(span);
    if (!place) continue;
    const speaker = segments[group]?.speaker ?? null;
    placed.push({ ...place, word: word.trim(), display, confidence, speaker });
    groups.push(group);
  }
  return { placed, groups: segments.length > 0 ? groups : undefined };
}

function placeSegments(segments: readonly TranscribedSegment[], table: SpanTable): TranscriptSegment[] {
  return segments.flatMap(({ text, speaker, ...span }): TranscriptSegment[] => {
    const place = table.place(span);
    const line = textOf([text]);
    return place && line !== '' ? [{ ...place, text: line, speaker, words: null, lowConfidence: false }] : [];
  });
}

/** All that is known is that somebody speaks between the chunk's beginning and end. */
function placeText(text: string, { spans }: Chunk): Pick<PlacedChunk, 'segments' | 'dropped'> {
  const line = textOf([text]);
  const [first, last] = [spans[0], spans.at(-1)];
  if (line === '' || !first || !last) return { segments: [], dropped: 0 };
  const segment = { start: first.start, end: last.end, text: line, speaker: null, words: null, lowConfidence: false };
  return { segments: [segment], dropped: 0 };
}
