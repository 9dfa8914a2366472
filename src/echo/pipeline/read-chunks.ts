import { ContentBlocked } from '../../errors.js';
import type { AcrossReader } from '../transcripts/read-across.js';
import type { TranscriptionChunk } from './transcription-chunk.entity.js';

/**
 * The chunks of a run without what policies find over their borders: each is held back until the next one with an answer is
 * there. One that goes on with what must not pass is left out.
 * @param reader undefined: no policy reads them
 */
export async function* readChunks(
  chunks: AsyncIterable<TranscriptionChunk>,
  reader: AcrossReader | undefined,
): AsyncGenerator<TranscriptionChunk, void, undefined> {
  // The last one with an answer, and the gaps behind it.
  let held: TranscriptionChunk[] = [];
  for await (const chunk of chunks) {
    const [last] = held;
    if (!reader || (!last && !chunk.answer)) {
      yield chunk;
      continue;
    }
    if (!last || !chunk.answer) {
      held.push(chunk);
      continue;
    }
    const [first, second] = await together(reader, last, chunk);
    if (second.answer) {
      yield* [first, ...held.slice(1)];
      held = [second];
    } else {
      held.push(second);
    }
  }
  yield* held;
}

async function together(
  reader: AcrossReader,
  last: TranscriptionChunk,
  chunk: TranscriptionChunk,
): Promise<readonly [TranscriptionChunk, TranscriptionChunk]> {
  if (!last.answer || !chunk.answer) return [last, chunk];
  try {
    const [first, second] = await reader.together(last.answer, chunk.answer);
    return [
      { ...last, answer: first },
      { ...chunk, answer: second },
    ];
  } catch (error) {
    if (!(error instanceof ContentBlocked)) throw error;
    return [last, { ...chunk, answer: null, failure: error.code }];
  }
}
