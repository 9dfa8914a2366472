import { BadUpstream } from '../../errors.js';
import { isJsonObject, objectsOf, textOr } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { cutText, readableText } from '../../platform/text/readable-text.js';
import type { TranscribedAudio, TranscribedSegment, TranscribedWord } from './speech.types.js';

/** Of one call: more than anybody says in a day. */
const MOST_WORDS = 200_000;
const MOST_SEGMENTS = 50_000;
/** What an answer may have however short the audio is, and for each of its seconds: several times what anybody says. */
const WORDS = { least: 500, perSecond: 50 };
const SEGMENTS = { least: 200, perSecond: 20 };
/** Of the text, of all words and of all segments, in UTF-16 units. */
const UNITS = { least: 10_000, perSecond: 1_000 };
/** The same before signs that nobody sees are left out, which takes its time: so much more, and no more than that in any case. */
const RAW_UNITS = { times: 4, most: 2_000_000 };
/** Longer words are cut, in code points. A language without blanks may have a sentence for one. */
const WORD_CHARACTERS = 200;
const SPEAKER_CHARACTERS = 64;
/** As BCP 47 writes it, or a name such as `portuguese`, which some servers tell. */
const LANGUAGE = /^[A-Za-z]{2,20}(-[A-Za-z0-9]{1,8}){0,3}$/;

/**
 * What an engine said, from its JSON: what has no times that are numbers is left out of the words and segments. Changes the
 * texts of the answer in place: what cannot be stored or shown is left out, so that what looks through them later sees
 * what readers see.
 * @param model its public name
 * @param audioSeconds what it was given; nobody says more in it than so much a second
 * @throws BadUpstream where it has no text, or more than anybody says
 */
export function toTranscribedAudio(
  answer: JsonObject,
  model: string,
  audioSeconds = Number.POSITIVE_INFINITY,
): TranscribedAudio {
  const most = (bound: Bound): number => bound.least + bound.perSecond * audioSeconds;
  const mostWords = Math.min(MOST_WORDS, most(WORDS));
  const segments = listOf(answer.segments, Math.min(MOST_SEGMENTS, most(SEGMENTS)));
  // Some servers tell the words of each segment within it.
  const within = segments?.flatMap((segment) => listOf(segment.words, mostWords) ?? []);
  const words = listOf(answer.words, mostWords) ?? (within && within.length > 0 ? within : null);
  if (words && words.length > mostWords) throw tooMuch();
  if (typeof answer.text !== 'string' && !segments)
    throw new BadUpstream('The answer of the speech engine has no text.');
  const mostRaw = Math.min(RAW_UNITS.most, RAW_UNITS.times * most(UNITS));
  for (const entries of [[answer], segments ?? [], within ?? [], words ?? []]) {
    if (entries.reduce((total, entry) => total + unitsOf(entry), 0) > mostRaw) throw tooMuch();
    for (const entry of entries) cleanTexts(entry);
  }
  const texts = (segments ?? []).map((segment) => textOr(segment.text, ''));
  const text = textOr(answer.text, null) ?? texts.join(' ');
  if (Math.max(text.length, sum(texts), sum((words ?? []).map(wordOf))) > most(UNITS)) throw tooMuch();
  return {
    model,
    text: text.trim(),
    language: languageOf(answer),
    durationSeconds: numberOf(answer.duration) ?? secondsOf(answer.usage) ?? null,
    words: words && words.flatMap(toWord),
    segments: segments && segments.flatMap(toSegment),
    raw: answer,
  };
}

const TEXTS = ['text', 'word', 'speaker'] as const;

function unitsOf(entry: JsonObject): number {
  return TEXTS.reduce((total, name) => total + textOr(entry[name], '').length, 0);
}

function cleanTexts(entry: JsonObject): void {
  for (const name of TEXTS) {
    const text = entry[name];
    if (typeof text === 'string') entry[name] = readableText(text);
  }
}

function languageOf({ language }: JsonObject): string | null {
  return typeof language === 'string' && LANGUAGE.test(language) ? language : null;
}

interface Bound {
  readonly least: number;
  readonly perSecond: number;
}

function sum(texts: readonly string[]): number {
  return texts.reduce((total, { length }) => total + length, 0);
}

function wordOf(entry: JsonObject): string {
  return textOr(entry.word ?? entry.text, '');
}

/**
 * How long the audio is at least by what an engine said, in seconds: as it tells, else up to the last word or segment.
 * @returns undefined where it tells nothing
 */
export function heardSeconds({ durationSeconds, words, segments }: TranscribedAudio): number | undefined {
  if (durationSeconds !== null && durationSeconds > 0) return durationSeconds;
  const last = [...(words ?? []), ...(segments ?? [])].reduce((most, { end }) => Math.max(most, end), 0);
  return last > 0 ? last : undefined;
}

function toWord(entry: JsonObject): TranscribedWord[] {
  const [start, end] = [numberOf(entry.start), numberOf(entry.end)];
  const word = cutText(wordOf(entry).trim(), WORD_CHARACTERS);
  if (start === undefined || end === undefined || word === '') return [];
  const confidence = numberOf(entry.confidence ?? entry.probability ?? entry.score);
  const isShare = confidence !== undefined && confidence >= 0 && confidence <= 1;
  return [{ word, start, end, confidence: isShare ? confidence : null }];
}

function toSegment(entry: JsonObject): TranscribedSegment[] {
  const [start, end] = [numberOf(entry.start), numberOf(entry.end)];
  if (start === undefined || end === undefined) return [];
  const speaker = cutText(textOr(entry.speaker, '').trim(), SPEAKER_CHARACTERS);
  return [{ text: textOr(entry.text, '').trim(), start, end, speaker: speaker === '' ? null : speaker }];
}

/** OpenAI's answers without times tell the length of the audio as what was used. */
function secondsOf(usage: unknown): number | undefined {
  return isJsonObject(usage) && usage.type === 'duration' ? numberOf(usage.seconds) : undefined;
}

function listOf(value: unknown, most: number): JsonObject[] | null {
  if (!Array.isArray(value)) return null;
  if (value.length > most) throw tooMuch();
  return objectsOf(value);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function tooMuch(): BadUpstream {
  return new BadUpstream('The answer of the speech engine has too many parts.');
}
