import { ContentBlocked } from '../../errors.js';
import type { AcrossReader } from '../transcripts/read-across.js';
import type { TranscriptionChunk } from './transcription-chunk.entity.js';

/**
 * The chunks of a run without what policies find over their borders. One that goes on with what must not pass is left out.
 * @param reader undefined: no policy reads them
 */
export async function readChunks(
  chunks: readonly TranscriptionChunk[],
  reader: AcrossReader | undefined,
): Promise<readonly TranscriptionChunk[]> {
  if (!reader) return chunks;
  const read: TranscriptionChunk[] = [];
  for (const chunk of chunks) {
    const at = read.findLastIndex(({ answer }) => answer !== null);
    const last = read[at];
    if (!last?.answer || !chunk.answer) {
      read.push(chunk);
      continue;
    }
    try {
      const [first, second] = await reader.together(last.answer, chunk.answer);
      read[at] = { ...last, answer: first };
      read.push({ ...chunk, answer: second });
    } catch (error) {
      if (!(error instanceof ContentBlocked)) throw error;
      read.push({ ...chunk, answer: null, failure: error.code });
    }
  }
  return read;
}
