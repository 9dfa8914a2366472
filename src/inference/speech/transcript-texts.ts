import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { writeWhole } from '../calls/text-transform.js';
import type { TextTransform } from '../calls/text-transform.js';
import { alignTokens } from './align-tokens.js';
import type { AlignedTokens } from './align-tokens.js';

/** A text of a list, cut at its blanks, and which entry each piece is of. */
interface Pieces {
  readonly tokens: string[];
  readonly entries: number[];
}

/** Members of an answer, and of its segments and words, that hold no text of anybody's. */
const KEPT = new Set(
  (
    'avg_logprob compression_ratio confidence duration end id language no_speech_prob object probability score seek ' +
    'start task temperature type usage'
  ).split(' '),
);

/**
 * Changes in place what was understood, as the transform has it. A pattern may go over several words, or from one segment
 * to the next: so the words, and the segments, are each read as one text, and what takes the place of several words is one
 * word with the times of all. Whatever else an engine tells of its text is left out.
 * @throws PlatformError of the transform
 */
export async function transformTranscript(answer: JsonObject, transform: TextTransform): Promise<void> {
  const cooperation = new CooperativeYield();
  const change = (text: string, isRepeat: boolean): Promise<string> =>
    writeWhole(transform.beginAnswer('text', isRepeat), text, cooperation);
  for (const name of Object.keys(answer)) {
    if (!KEPT.has(name) && !['text', 'words', 'segments'].includes(name)) delete answer[name];
  }
  if (typeof answer.text === 'string') answer.text = await change(answer.text, false);
  const again = (text: string): Promise<string> => change(text, true);
  if (Array.isArray(answer.words)) answer.words = await transformWords(objectsOf(answer.words), again);
  if (Array.isArray(answer.segments)) answer.segments = await transformSegments(objectsOf(answer.segments), again);
}

type Change = (text: string) => Promise<string>;

async function transformWords(words: readonly JsonObject[], change: Change): Promise<JsonObject[]> {
  return (await changeWords(words, change)).map(({ word }) => word);
}

/** @returns words, and the index of the one that each began with */
async function changeWords(
  words: readonly JsonObject[],
  change: Change,
): Promise<{ readonly first: number; readonly word: JsonObject }[]> {
  const pieces = cut(words.map(({ word, text }) => String(word ?? text ?? '')));
  const aligned = await changeTokens(pieces.tokens, change);
  return aligned.map(({ text, from, to }) => {
    const [first, last] = [pieces.entries[from] as number, pieces.entries[to - 1] as number];
    return { first, word: { ...kept(words[first] ?? {}), word: text, end: words[last]?.end } };
  });
}

/** The words that segments have of their own, read over their borders; undefined for a segment without. */
async function transformWordsWithin(
  segments: readonly JsonObject[],
  change: Change,
): Promise<(JsonObject[] | undefined)[]> {
  const lists = segments.map(({ words }) => (Array.isArray(words) ? objectsOf(words) : undefined));
  const owners = lists.flatMap((list, index) => list?.map(() => index) ?? []);
  const changed = lists.map((list): JsonObject[] | undefined => list && []);
  for (const { first, word } of await changeWords(
    lists.flatMap((list) => list ?? []),
    change,
  )) {
    changed[owners[first] as number]?.push(word);
  }
  return changed;
}

async function transformSegments(segments: readonly JsonObject[], change: Change): Promise<JsonObject[]> {
  const pieces = cut(segments.map(({ text }) => String(text ?? '')));
  const texts: string[][] = segments.map(() => []);
  // What goes over a border belongs to the segment in which it begins.
  for (const { text, from } of await changeTokens(pieces.tokens, change)) {
    texts[pieces.entries[from] as number]?.push(text);
  }
  const words = await transformWordsWithin(segments, change);
  const changed: JsonObject[] = [];
  for (const [index, segment] of segments.entries()) {
    const speaker = isJsonObject(segment) && typeof segment.speaker === 'string' ? segment.speaker : undefined;
    changed.push({
      ...kept(segment),
      text: texts[index]?.join(' ') ?? '',
      ...(words[index] && { words: words[index] }),
      ...(speaker !== undefined && { speaker: await change(speaker) }),
    });
  }
  return changed;
}

async function changeTokens(tokens: readonly string[], change: Change): Promise<AlignedTokens[]> {
  const text = tokens.join(' ');
  const changed = text === '' ? text : await change(text);
  return alignTokens(tokens, changed === text ? tokens : changed.split(/\s+/).filter(Boolean));
}

function cut(texts: readonly string[]): Pieces {
  const pieces: Pieces = { tokens: [], entries: [] };
  for (const [index, text] of texts.entries()) {
    for (const token of text.split(/\s+/)) {
      if (token === '') continue;
      pieces.tokens.push(token);
      pieces.entries.push(index);
    }
  }
  return pieces;
}

/** What of an entry is no text. */
function kept(entry: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => KEPT.has(name)));
}
