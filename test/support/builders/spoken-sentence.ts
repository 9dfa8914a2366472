import { Resampler } from '../../../src/platform/audio/resampler.js';
import type { SpeechBed } from '../servers/speech-bed.js';

/** A text as flite says it: 16 bits of 24 kHz. */
export async function spokenSentence(bed: SpeechBed, input: string): Promise<Buffer> {
  const { samples, sampleRate } = await bed.models.speak(bed.caller, bed.speakCall({ input, model: 'builtin-flite' }));
  const parts: Buffer[] = [];
  for await (const part of samples) parts.push(part);
  return resample(Buffer.concat(parts), sampleRate, 24_000);
}

/** Samples at another rate. */
export function resample(samples: Buffer, from: number, to: number): Buffer {
  const resampler = new Resampler(from, to);
  return Buffer.concat([resampler.push(samples), resampler.end()]);
}
