import { clockTime, cueMilliseconds } from './cue-times.js';
import { toCues } from './cues.js';
import type { CueSegment } from './cues.js';
import { speakerName } from './speaker-names.js';
import type { SpeakerNames } from './speaker-names.js';

/** The segments as subtitles in SubRip's format, with the speaker before the text. */
export function toSrt(segments: readonly CueSegment[], names: SpeakerNames = {}): string {
  return toSrtCues(segments, names)
    .map((cue, index) => numberedCue(cue, index + 1))
    .join('\n');
}

/** Cues without their numbers. */
export function toSrtCues(segments: readonly CueSegment[], names: SpeakerNames): string[] {
  return segments.flatMap((segment) => {
    const speaker = speakerName(segment.speaker, names);
    const label = speaker === null ? '' : plainText(`${speaker}: `);
    return toCues(segment, plainText(segment.text), label).map(({ lines, ...span }) => {
      const [from, to] = cueMilliseconds(span).map((time) => clockTime(time, ','));
      return `${from} --> ${to}\n${lines.join('\n')}\n`;
    });
  });
}

/** @param number from 1 */
export function numberedCue(cue: string, number: number): string {
  return `${number}\n${cue}`;
}

/** A text in which nothing looks like a time or a tag. */
function plainText(text: string): string {
  return text.replaceAll('-->', '->').replaceAll('<', '‹').replaceAll('>', '›');
}
