import { registerEnumType } from 'type-graphql';

/** What a transcript can be fetched as. */
export const TranscriptFormat = { json: 'json', text: 'text', srt: 'srt', vtt: 'vtt' } as const;
/** One of them. */
export type TranscriptFormat = keyof typeof TranscriptFormat;

registerEnumType(TranscriptFormat, {
  name: 'TranscriptFormat',
  description: 'What a transcript is fetched as.',
  valuesConfig: {
    json: { description: 'Segments with their times, speakers and words.' },
    text: { description: 'What was said, a line each time that somebody else speaks.' },
    srt: { description: 'Subtitles in SubRip’s format.' },
    vtt: { description: 'Subtitles as WebVTT.' },
  },
});

/** By format. */
export const TRANSCRIPT_TYPES: Readonly<Record<TranscriptFormat, string>> = {
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
};
