import { AudioFailed } from '../audio-failed.js';
import { DECODED_RATE } from '../audio.types.js';
import type { AudioSpan } from '../audio.types.js';
import { monoReader } from '../wav/mono-samples.js';
import { openWav } from '../wav/wav-reader.js';
import { WavWriter } from '../wav/wav-writer.js';
import { DECODED_STEP_BYTES } from './decode-task.types.js';
import type { DecodeAnswer, DecodeTask } from './decode-task.types.js';
import { ffmpegSamples } from './ffmpeg-samples.js';
import { fromPcm16, toPcm16 } from './pcm16.js';
import { atDecodedRate } from './sample-rate.js';
import { SpeechDetector } from './speech-detector.js';

/** So many spans are told at once. */
const BATCH = 500;
const SAMPLE_BYTES = 2;

/** What decodes in a child; its detector is loaded before the first task comes. */
export class AudioDecoder {
  private readonly detector = new SpeechDetector();

  /** Does one task: writes the decoded file, and tells where somebody speaks in it. @throws AudioFailed */
  async decode(
    task: unknown,
    input: AsyncIterable<Uint8Array>,
    emit: (answer: DecodeAnswer) => Promise<void>,
  ): Promise<void> {
    const { wavPath, maxSeconds, ffmpeg } = task as DecodeTask;
    const { detector } = this;
    detector.reset();
    const writer = await WavWriter.create(wavPath, DECODED_RATE);
    let found: AudioSpan[] = [];
    let toldBytes = 0;
    const tell = async (spans: readonly AudioSpan[], isLast = false): Promise<void> => {
      found.push(...spans);
      if (found.length < (isLast ? 1 : BATCH)) return;
      await emit({ spans: found });
      found = [];
    };
    try {
      for await (const { bytes, samples } of ffmpeg ? decoded(ffmpeg, maxSeconds) : read(input)) {
        await writer.write(bytes);
        if (writer.dataBytes > maxSeconds * DECODED_RATE * SAMPLE_BYTES) throw new AudioFailed('too_large');
        if (writer.dataBytes >= toldBytes + DECODED_STEP_BYTES) {
          toldBytes = writer.dataBytes;
          await emit({ writtenBytes: toldBytes });
        }
        await tell(detector.accept(samples));
      }
      const durationSeconds = writer.dataBytes / SAMPLE_BYTES / DECODED_RATE;
      // What ffmpeg makes nothing of is damaged.
      if (durationSeconds === 0) throw new AudioFailed(ffmpeg ? 'malformed' : 'empty');
      await tell(
        detector.finish().map((span) => withinAudio(span, durationSeconds)),
        true,
      );
      await emit({ durationSeconds, sizeBytes: await writer.finish() });
    } catch (error) {
      await writer.close().catch(() => undefined);
      throw error;
    }
  }
}

/** The same samples twice. */
interface Piece {
  readonly bytes: Buffer;
  readonly samples: Float32Array;
}

async function* read(input: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  const { format, frames } = await openWav(input);
  for await (const samples of atDecodedRate(mono(frames, monoReader(format)), format.sampleRate)) {
    yield { bytes: toPcm16(samples), samples };
  }
}

async function* mono(
  frames: AsyncIterable<Buffer>,
  toMono: (frames: Buffer) => Float32Array,
): AsyncGenerator<Float32Array> {
  for await (const part of frames) yield toMono(part);
}

async function* decoded(ffmpeg: NonNullable<DecodeTask['ffmpeg']>, maxSeconds: number): AsyncGenerator<Piece> {
  let odd: Buffer = Buffer.alloc(0);
  // A second more, so that longer audio is told from audio that is just as long.
  for await (const part of ffmpegSamples(ffmpeg, maxSeconds + 1)) {
    const all = odd.length === 0 ? part : Buffer.concat([odd, part]);
    const bytes = all.subarray(0, all.length - (all.length % SAMPLE_BYTES));
    odd = all.subarray(bytes.length);
    yield { bytes, samples: fromPcm16(bytes) };
  }
}

/** The last window is filled up with silence, which is no part of the audio. */
function withinAudio({ start, end }: AudioSpan, durationSeconds: number): AudioSpan {
  return { start: Math.min(start, durationSeconds), end: Math.min(end, durationSeconds) };
}
