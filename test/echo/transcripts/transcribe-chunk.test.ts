import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planChunks } from '../../../src/echo/transcripts/chunk-plan.js';
import { transcribeChunk } from '../../../src/echo/transcripts/transcribe-chunk.js';
import type { ChunkAudio } from '../../../src/echo/transcripts/transcribe-chunk.js';
import type { Chunk } from '../../../src/echo/transcripts/transcripts.types.js';
import { PlatformError } from '../../../src/errors.js';
import type { TranscribedAudio } from '../../../src/inference/speech/speech.types.js';
import { scratchFolderAt } from '../../support/builders/scratch-folder.js';
import { toneWav } from '../../support/servers/speech-server.js';

describe('transcribing a chunk', () => {
  it('is done in smaller parts, cut in pauses, where an engine refuses it as too large', async () => {
    const asked: ChunkAudio[] = [];
    const answer = (audio: ChunkAudio) => {
      asked.push(audio);
      if (audio.audioSeconds > 8) throw tooLarge();
      return heard(audio, 'something was said');
    };

    const placed = await transcribeChunk(work(answer), chunkOf(SENTENCES), '');

    expect(placed).toMatchObject({ timing: 'segments', language: 'en', dropped: 0, isLoop: false });
    expect(placed.segments.length).toBeGreaterThan(1);
    // Each sentence lies in one part, as a whole.
    for (const sentence of SENTENCES) {
      const within = placed.segments.filter(({ start, end }) => start < sentence.end && end > sentence.start);
      expect(within).toHaveLength(1);
      expect(within[0]?.start).toBeLessThanOrEqual(sentence.start + 0.3);
      expect(within[0]?.end).toBeGreaterThanOrEqual(sentence.end - 0.3);
    }
    expect(asked[0]?.audioSeconds).toBeGreaterThan(15);
    expect(await readdir(folder)).toEqual(['decoded.wav']);
  });

  it('fails where an engine refuses what cannot be cut any more', async () => {
    let count = 0;
    const refuse = () => {
      count += 1;
      throw tooLarge();
    };

    const transcribing = transcribeChunk(work(refuse), chunkOf(SENTENCES), '');

    await expect(transcribing).rejects.toMatchObject({ status: 413 });
    expect(count).toBeLessThan(10);
    expect(await readdir(folder)).toEqual(['decoded.wav']);
  });

  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transcribe-chunk-'));
    await writeFile(join(folder, 'decoded.wav'), toneWav(DURATION));
  });
  afterEach(() => rm(folder, { recursive: true }));

  function work(answer: (audio: ChunkAudio) => TranscribedAudio) {
    const ask = async (audio: ChunkAudio): Promise<TranscribedAudio> => answer(audio);
    const { signal } = new AbortController();
    return { wavPath: join(folder, 'decoded.wav'), folder: scratchFolderAt(folder), signal, ask };
  }
});

const DURATION = 20;
/** Of 3 s, with pauses of 0.8 s. */
const SENTENCES = [0, 1, 2, 3, 4].map((index) => ({ start: 0.5 + index * 3.8, end: 3.5 + index * 3.8 }));

function chunkOf(spans: typeof SENTENCES): Chunk {
  return planChunks(spans, DURATION, { maxSeconds: 60, maxBytes: 1e9 })[0] as Chunk;
}

function heard({ audioSeconds: end }: ChunkAudio, text: string): TranscribedAudio {
  const segments = [{ start: 0, end, text, speaker: null }];
  return { model: 'heard', text, language: 'en', durationSeconds: end, words: null, segments, raw: null };
}

function tooLarge(): PlatformError {
  return new PlatformError(413, 'invalid_request_error', 'payload_too_large', 'Too large.');
}
