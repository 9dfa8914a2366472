import type { TranscriptSegment } from '../transcripts.types.js';
import { clockTime, cueMilliseconds } from './cue-times.js';
import { speakerName } from './speaker-names.js';
import type { SpeakerNames } from './speaker-names.js';

/** The segments as subtitles in SubRip's format, a cue each, with the speaker before the text. */
export function toSrt(segments: readonly TranscriptSegment[], names: SpeakerNames = {}): string {
  return segments
    .map((segment, index) => {
      const [from, to] = cueMilliseconds(segment).map((time) => clockTime(time, ','));
      const speaker = speakerName(segment.speaker, names);
      const text = plainLine(speaker === null ? segment.text : `${speaker}: ${segment.text}`);
      return `${index + 1}\n${from} --> ${to}\n${text}\n`;
    })
    .join('\n');
}

/** One line, in which nothing looks like a time or a tag. */
function plainLine(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('-->', '->').replaceAll('<', '‹').replaceAll('>', '›').trim();
}
