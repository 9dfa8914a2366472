import { ContentBlocked } from '../../errors.js';
import type { AcrossReader } from '../transcripts/read-across.js';
import type { PlacedChunk } from '../transcripts/transcripts.types.js';
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
  const answers: PlacedChunk[] = [];
  const blocked = new Map<TranscriptionChunk, string>();
  for (const chunk of chunks) {
    if (!chunk.answer) continue;
    try {
      await reader.add(answers, chunk.answer);
    } catch (error) {
      if (!(error instanceof ContentBlocked)) throw error;
      blocked.set(chunk, error.code);
    }
  }
  return chunks.map((chunk) => {
    const failure = blocked.get(chunk);
    if (failure !== undefined) return { ...chunk, answer: null, failure };
    return chunk.answer ? { ...chunk, answer: answers.shift() ?? null } : chunk;
  });
}
