import type { TranscriptSegment } from '../transcripts.types.js';
import { clockTime, cueMilliseconds } from './cue-times.js';
import { speakerName } from './speaker-names.js';
import type { SpeakerNames } from './speaker-names.js';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The segments as WebVTT, a cue each, with the speaker as its voice. */
export function toVtt(segments: readonly TranscriptSegment[], names: SpeakerNames = {}): string {
  const cues = segments.map((segment) => {
    const [from, to] = cueMilliseconds(segment).map((time) => clockTime(time, '.'));
    const speaker = speakerName(segment.speaker, names);
    const voice = speaker === null ? '' : `<v ${escaped(speaker)}>`;
    return `${from} --> ${to}\n${voice}${escaped(segment.text)}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

function escaped(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign);
}
