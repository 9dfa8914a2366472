import { CooperativeYield } from '../async/cooperative-yield.js';
import { Resampler } from './resampler.js';

/**
 * Samples at another rate, in steps of less than a millisecond: others have their turn behind each, however many come at
 * once.
 * @param samples signed 16-bit little-endian, of one channel
 * @param from, to rates of AUDIO_RATES
 */
export async function* resampled(
  samples: AsyncIterable<Buffer>,
  from: number,
  to: number,
): AsyncGenerator<Buffer, void, undefined> {
  const resampler = new Resampler(from, to);
  const cooperation = new CooperativeYield();
  for await (const piece of samples) {
    for (let at = 0; at < piece.length; at += resampler.stepBytes) {
      const changed = resampler.push(piece.subarray(at, at + resampler.stepBytes));
      if (changed.length > 0) yield changed;
      await cooperation.yield();
    }
  }
  yield resampler.end();
}
