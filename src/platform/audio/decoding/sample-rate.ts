import sherpa from 'sherpa-onnx-node';
import { AudioFailed } from '../audio-failed.js';
import { DECODED_RATE } from '../audio.types.js';

/** In so many seconds of audio something is left at any other rate. */
const HEARD_SECONDS = 0.1;

/**
 * Samples of any rate at 16 kHz, band-limited.
 * @param samples in memory of their own
 * @throws AudioFailed sample_rate where the resampler makes nothing of it, as of some that nearly are multiples
 */
export async function* atDecodedRate(
  samples: AsyncIterable<Float32Array>,
  sampleRate: number,
): AsyncGenerator<Float32Array> {
  if (sampleRate === DECODED_RATE) return yield* samples;
  const resampler = new sherpa.LinearResampler(sampleRate, DECODED_RATE);
  let [taken, made] = [0, 0];
  for await (const part of samples) {
    taken += part.length;
    const resampled = resampler.resample(part);
    made += resampled.length;
    yield resampled;
  }
  const last = resampler.flush(new Float32Array(0));
  if (made + last.length === 0 && taken > HEARD_SECONDS * sampleRate) throw new AudioFailed('sample_rate');
  yield last;
}
