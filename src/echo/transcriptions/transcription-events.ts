import { toPlatformError } from '../../graph/platform-error.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { toDiarizedSegment } from '../transcripts/formats/openai-json.js';
import { joinChunks } from '../transcripts/join-chunks.js';
import type { PlacedChunk, Transcript } from '../transcripts/transcripts.types.js';
import { usageOf } from './transcription-body.js';
import type { TranscriptionRequest } from './transcription-request.js';

interface EventParts {
  readonly request: TranscriptionRequest;
  /** Null: nobody has decoded the file. */
  readonly durationSeconds: number | null;
  readonly chunks: AsyncIterable<PlacedChunk>;
  /** Checks what the engine has told, and says who speaks where that is asked for. */
  finish(transcript: Transcript): Promise<Transcript>;
  /** What the calls of the chunks were charged. */
  readonly charged: { readonly seconds: number };
  /** What a client may see of an error. */
  log: Parameters<typeof toPlatformError>[1];
}

/**
 * OpenAI's events of a transcription: `transcript.text.delta` as each chunk is said, `transcript.text.segment` where
 * segments are asked for, `transcript.text.done`. What fails ends them with `error`, and without `done`. Speakers are told
 * apart by all of their speech, so segments with speakers come at the end.
 */
export async function* transcriptionEvents(parts: EventParts): AsyncGenerator<Buffer, void, undefined> {
  const { request, durationSeconds, chunks, finish, charged, log } = parts;
  const placed: PlacedChunk[] = [];
  const isDiarized = request.format === 'diarized_json';
  let told = 0;
  try {
    for await (const chunk of chunks) {
      placed.push(chunk);
      const { text, segments } = joinChunks([chunk], durationSeconds);
      if (text !== '') yield toEvent('transcript.text.delta', { delta: told === 0 ? text : ` ${text}` });
      if (request.format === 'verbose_json') {
        for (const [index, segment] of segments.entries()) {
          const { speaker: _none, ...body } = toDiarizedSegment(segment, told + index);
          yield toEvent('transcript.text.segment', body);
        }
      }
      told += segments.length;
    }
    const transcript = await finish(joinChunks(placed, durationSeconds));
    if (isDiarized) {
      for (const [index, segment] of transcript.segments.entries()) {
        yield toEvent('transcript.text.segment', toDiarizedSegment(segment, index));
      }
    }
    yield toEvent('transcript.text.done', { text: transcript.text, ...usageOf(charged.seconds) });
  } catch (error) {
    yield Buffer.from(`event: error\ndata: ${JSON.stringify(toPlatformError(error, log).toBody())}\n\n`);
  }
}

function toEvent(type: string, body: JsonObject): Buffer {
  return Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`);
}
