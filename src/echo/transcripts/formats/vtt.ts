import { clockTime, cueMilliseconds } from './cue-times.js';
import { toCues } from './cues.js';
import type { CueSegment } from './cues.js';
import { speakerName } from './speaker-names.js';
import type { SpeakerNames } from './speaker-names.js';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** What a file begins with. */
export const VTT_HEAD = 'WEBVTT\n';

/** The segments as WebVTT, with the speaker as its voice. */
export function toVtt(segments: readonly CueSegment[], names: SpeakerNames = {}): string {
  return [VTT_HEAD, ...toVttCues(segments, names)].join('\n');
}

/** The cues behind the head. */
export function toVttCues(segments: readonly CueSegment[], names: SpeakerNames): string[] {
  return segments.flatMap((segment) => {
    const speaker = speakerName(segment.speaker, names);
    const voice = speaker === null ? '' : `<v ${escaped(speaker)}>`;
    return toCues(segment, segment.text).map(({ lines, ...span }) => {
      const [from, to] = cueMilliseconds(span).map((time) => clockTime(time, '.'));
      return `${from} --> ${to}\n${voice}${lines.map(escaped).join('\n')}\n`;
    });
  });
}

function escaped(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign);
}
