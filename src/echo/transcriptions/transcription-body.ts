import { toDiarizedJson, toVerboseJson } from '../transcripts/formats/openai-json.js';
import { toSrt } from '../transcripts/formats/srt.js';
import { toVtt } from '../transcripts/formats/vtt.js';
import type { Transcript } from '../transcripts/transcripts.types.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { ResponseFormat, TranscriptionRequest } from './transcription-request.js';

/** What each format is, as a media type. */
export const FORMAT_TYPES: Readonly<Record<ResponseFormat, string>> = {
  json: 'application/json; charset=utf-8',
  verbose_json: 'application/json; charset=utf-8',
  diarized_json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
};

/** What a transcription cost, as OpenAI tells it; nothing where the length of the audio is not known. */
export function usageOf({ durationSeconds }: Pick<Transcript, 'durationSeconds'>): JsonObject {
  return durationSeconds === null ? {} : { usage: { type: 'duration', seconds: Math.ceil(durationSeconds) } };
}

/** The whole answer of a request. */
export function toBody(request: TranscriptionRequest, transcript: Transcript): string {
  const { format, task, granularities } = request;
  const { text, segments } = transcript;
  const usage = usageOf(transcript);
  switch (format) {
    case 'json':
      return JSON.stringify({ text, ...usage });
    case 'verbose_json':
      return JSON.stringify({ ...toVerboseJson(transcript, { task, granularities }), ...usage });
    case 'diarized_json':
      return JSON.stringify({ ...toDiarizedJson(transcript), ...usage });
    case 'text':
      return `${text}\n`;
    case 'srt':
      return toSrt(segments);
    case 'vtt':
      return toVtt(segments);
  }
}
