import sherpa from 'sherpa-onnx-node';
import { DECODED_RATE } from '../audio.types.js';

/** Samples of any rate at 16 kHz, band-limited. @param samples in memory of their own */
export async function* atDecodedRate(
  samples: AsyncIterable<Float32Array>,
  sampleRate: number,
): AsyncGenerator<Float32Array> {
  if (sampleRate === DECODED_RATE) return yield* samples;
  const resampler = new sherpa.LinearResampler(sampleRate, DECODED_RATE);
  for await (const part of samples) yield resampler.resample(part);
  yield resampler.flush(new Float32Array(0));
}
