import { toDiarizedJson, toVerboseJson } from '../transcripts/formats/openai-json.js';
import { PlainText } from '../transcripts/formats/plain-text.js';
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

/** What a transcription was charged, as OpenAI tells it. @param seconds of its calls, as the ledger has them */
export function usageOf(seconds: number): JsonObject {
  return { usage: { type: 'duration', seconds } };
}

/** The whole answer of a request. @param seconds that were charged */
export function toBody(request: TranscriptionRequest, transcript: Transcript, seconds: number): string {
  const { format, task, granularities } = request;
  const { text, segments } = transcript;
  const usage = usageOf(seconds);
  switch (format) {
    case 'json':
      return JSON.stringify({ text, ...usage });
    case 'verbose_json':
      return JSON.stringify({ ...toVerboseJson(transcript, { task, granularities }), ...usage });
    case 'diarized_json':
      return JSON.stringify({ ...toDiarizedJson(transcript), ...usage });
    case 'text':
      return `${new PlainText().add(segments.map((segment) => ({ ...segment, speaker: null })))}\n`;
    case 'srt':
      return toSrt(segments);
    case 'vtt':
      return toVtt(segments);
  }
}
