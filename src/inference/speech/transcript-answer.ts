import { BadUpstream } from '../../errors.js';
import { objectsOf, textOr } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { TranscribedAudio, TranscribedSegment, TranscribedWord } from './speech.types.js';

/** Of one recording: more than anybody says in a day. */
const MOST_WORDS = 200_000;
const MOST_SEGMENTS = 50_000;
const SPEAKER_CHARACTERS = 64;

/**
 * What an engine said, from its JSON: what has no times that are numbers is left out of the words and segments.
 * @param model its public name
 * @throws BadUpstream where it has no text, or more than anybody says
 */
export function toTranscribedAudio(answer: JsonObject, model: string): TranscribedAudio {
  const segments = listOf(answer.segments, MOST_SEGMENTS);
  // Some servers tell the words of each segment within it.
  const within = segments?.flatMap((segment) => listOf(segment.words, MOST_WORDS) ?? []);
  const words = listOf(answer.words, MOST_WORDS) ?? (within && within.length > 0 ? within : null);
  if (words && words.length > MOST_WORDS) throw tooMuch();
  const { text } = answer;
  if (typeof text !== 'string' && !segments) throw new BadUpstream('The answer of the speech engine has no text.');
  return {
    model,
    text:
      typeof text === 'string'
        ? text.trim()
        : (segments ?? [])
            .map((segment) => textOr(segment.text, ''))
            .join(' ')
            .trim(),
    language: textOr(answer.language, null),
    durationSeconds: numberOf(answer.duration) ?? null,
    words: words && words.flatMap(toWord),
    segments: segments && segments.flatMap(toSegment),
    raw: answer,
  };
}

function toWord(entry: JsonObject): TranscribedWord[] {
  const [start, end] = [numberOf(entry.start), numberOf(entry.end)];
  const word = textOr(entry.word ?? entry.text, '').trim();
  if (start === undefined || end === undefined || word === '') return [];
  const confidence = numberOf(entry.confidence ?? entry.probability ?? entry.score);
  const isShare = confidence !== undefined && confidence >= 0 && confidence <= 1;
  return [{ word, start, end, confidence: isShare ? confidence : null }];
}

function toSegment(entry: JsonObject): TranscribedSegment[] {
  const [start, end] = [numberOf(entry.start), numberOf(entry.end)];
  if (start === undefined || end === undefined) return [];
  const speaker = textOr(entry.speaker, '').trim().slice(0, SPEAKER_CHARACTERS);
  return [{ text: textOr(entry.text, '').trim(), start, end, speaker: speaker === '' ? null : speaker }];
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
