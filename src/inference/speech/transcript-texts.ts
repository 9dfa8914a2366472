import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { writeWhole } from '../calls/text-transform.js';
import type { TextTransform } from '../calls/text-transform.js';
import { placeChanged } from './changed-texts.js';
import type { ChangedText } from './changed-texts.js';
import { joinTexts } from './joined-texts.js';
import { lettersOf } from './letters-of.js';

/** Members of an answer, and of its segments and words, that hold no text of anybody's. */
const KEPT = new Set(
  (
    'avg_logprob compression_ratio confidence duration end id language no_speech_prob object probability score seek ' +
    'start task temperature type usage'
  ).split(' '),
);

/** UTF-16 units of a text of a list for which nothing was found that is alike: longer, its times say nothing. */
const MOST_UNPLACED = 200;

/**
 * Changes in place what was understood, as the transform has it. A pattern may go over several words, or from one segment
 * to the next: so the words, and the segments, are each read as one text, written as the text of the answer is, and what
 * takes the place of several words is one word with the times of all. Where the text had to be changed and a list of its
 * words or segments does not say the same then, it may hold, in other words, what was to go: it gets the words of the
 * text, and is left out where these cannot be told apart. So is whatever else an engine tells.
 * @throws PlatformError of the transform
 */
export async function transformTranscript(answer: JsonObject, transform: TextTransform): Promise<void> {
  const cooperation = new CooperativeYield();
  const change = (text: string, isRepeat: boolean): Promise<string> =>
    writeWhole(transform.beginAnswer('text', isRepeat), text, cooperation);
  for (const name of Object.keys(answer)) {
    if (!KEPT.has(name) && !['text', 'words', 'segments'].includes(name)) delete answer[name];
  }
  const whole = typeof answer.text === 'string' ? answer.text : joinTexts(textsOf(objectsOf(answer.segments)), '').text;
  const changed = await change(whole, false);
  if (typeof answer.text === 'string') answer.text = changed;
  const lists = new TranscriptLists(whole, changed, (text) => change(text, true));
  if (Array.isArray(answer.words)) setOrDelete(answer, 'words', await lists.words(objectsOf(answer.words)));
  if (Array.isArray(answer.segments)) setOrDelete(answer, 'segments', await lists.segments(objectsOf(answer.segments)));
}

/** The words and segments of an answer. */
class TranscriptLists {
  /** The text of the answer; undefined where nothing had to be changed in it. */
  private readonly changed: string | undefined;

  /**
   * @param whole the text of the answer, or of its segments, before it was changed
   * @param changed what it is now
   */
  constructor(
    private readonly whole: string,
    changed: string,
    private readonly change: (text: string) => Promise<string>,
  ) {
    this.changed = changed === whole ? undefined : changed;
  }

  /** @returns undefined where they are to be left out */
  async words(words: readonly JsonObject[]): Promise<JsonObject[] | undefined> {
    const changed = await this.changeWords(words);
    return changed?.map(({ word }) => word);
  }

  /** @returns undefined where they are to be left out */
  async segments(segments: readonly JsonObject[]): Promise<JsonObject[] | undefined> {
    const changed = await this.changeTexts(textsOf(segments));
    if (!changed) return undefined;
    const texts: string[][] = segments.map(() => []);
    // What goes over a border belongs to the segment in which it begins.
    for (const { text, first } of changed) texts[first]?.push(text);
    const words = await this.wordsWithin(segments);
    const transformed: JsonObject[] = [];
    for (const [index, segment] of segments.entries()) {
      const speaker = isJsonObject(segment) && typeof segment.speaker === 'string' ? segment.speaker : undefined;
      transformed.push({
        ...kept(segment),
        text: texts[index]?.join(' ') ?? '',
        ...(words[index] && { words: words[index] }),
        ...(speaker !== undefined && { speaker: await this.change(speaker) }),
      });
    }
    return transformed;
  }

  /** The words that segments have of their own, read over their borders; undefined for a segment without. */
  private async wordsWithin(segments: readonly JsonObject[]): Promise<(JsonObject[] | undefined)[]> {
    const lists = segments.map(({ words }) => (Array.isArray(words) ? objectsOf(words) : undefined));
    const owners = lists.flatMap((list, index) => list?.map(() => index) ?? []);
    const all = await this.changeWords(lists.flatMap((list) => list ?? []));
    const changed = lists.map((list): JsonObject[] | undefined => (all && list ? [] : undefined));
    for (const { first, word } of all ?? []) changed[owners[first] as number]?.push(word);
    return changed;
  }

  /** @returns words, and the index of the one that each began with; undefined where they are to be left out */
  private async changeWords(words: readonly JsonObject[]) {
    const changed = await this.changeTexts(words.map(({ word, text }) => textOf(word ?? text)));
    return changed?.map(({ text, first, last }) => {
      return { first, word: { ...kept(words[first] ?? {}), word: text, end: words[last]?.end } };
    });
  }

  /** @returns undefined where they say something else than the text that was changed: they are to be left out */
  private async changeTexts(own: readonly string[]): Promise<readonly ChangedText[] | undefined> {
    const joined = joinTexts(own, this.whole);
    const changed = joined.text === '' ? '' : await this.change(joined.text);
    if (this.changed === undefined || own.length === 0) return placeChanged(joined, changed);
    if (lettersOf(changed) === lettersOf(this.changed)) return placeChanged(joined, changed);
    // They may say in other words what had to go: so what they say is read from the text.
    const placed = placeChanged(joined, this.changed);
    return placed.every(({ text }) => text.length <= MOST_UNPLACED) ? placed : undefined;
  }
}

function textsOf(segments: readonly JsonObject[]): string[] {
  return segments.map(({ text }) => textOf(text));
}

/** A number is one, too: engines write `7` so. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function setOrDelete(answer: JsonObject, name: string, list: JsonObject[] | undefined): void {
  if (list) answer[name] = list;
  else delete answer[name];
}

/** What of an entry is no text. */
function kept(entry: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => KEPT.has(name)));
}
