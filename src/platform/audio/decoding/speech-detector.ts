import sherpa from 'sherpa-onnx-node';
import { fileURLToPath } from 'node:url';
import { DECODED_RATE } from '../audio.types.js';
import type { AudioSpan } from '../audio.types.js';

/** Silero's detection of speech, version 5 (MIT): see models/silero-vad/README.md. */
const MODEL = fileURLToPath(new URL('../../../../models/silero-vad/silero_vad_16k_op15.onnx', import.meta.url));

/** The pause at which a span ends, in seconds: shorter ones lie within words. */
const PAUSE_SECONDS = 0.1;
/** Shorter sounds are no speech. */
const LEAST_SECONDS = 0.1;
/** Behind so much speech without a pause, a doubtful place is pause enough. */
const LONG_SECONDS = 20;
/** Behind so much it is cut wherever it is: the detector keeps the samples of a span until its end. */
const LONGEST_SECONDS = 40;
const BUFFER_SECONDS = 60;
/** What the model looks at at once, in samples. */
const WINDOW = 512;

/** Tells where somebody speaks, while the samples come. */
export class SpeechDetector {
  private readonly vad = new sherpa.Vad(
    {
      sileroVad: {
        model: MODEL,
        threshold: 0.5,
        minSilenceDuration: PAUSE_SECONDS,
        minSpeechDuration: LEAST_SECONDS,
        maxSpeechDuration: LONG_SECONDS,
        windowSize: WINDOW,
      },
      sampleRate: DECODED_RATE,
      numThreads: 1,
      debug: 0,
    },
    BUFFER_SECONDS,
  );
  private rest = new Float32Array(0);
  private speechSamples = 0;
  private lastEnd = 0;

  /** @param samples at 16 kHz, from -1 to 1 @returns the spans that have come to their ends, in seconds */
  accept(samples: Float32Array): AudioSpan[] {
    const all = joined(this.rest, samples);
    const spans: AudioSpan[] = [];
    let place = 0;
    for (; place + WINDOW <= all.length; place += WINDOW) {
      this.vad.acceptWaveform(all.subarray(place, place + WINDOW));
      this.speechSamples = this.vad.isDetected() ? this.speechSamples + WINDOW : 0;
      if (this.speechSamples >= LONGEST_SECONDS * DECODED_RATE) {
        this.vad.flush();
        this.speechSamples = 0;
      }
      this.collect(spans);
    }
    this.rest = all.slice(place);
    return spans;
  }

  /** The audio is over. @returns what has not been told yet */
  finish(): AudioSpan[] {
    const spans = this.rest.length > 0 ? this.accept(new Float32Array(WINDOW - this.rest.length)) : [];
    this.vad.flush();
    this.collect(spans);
    return spans;
  }

  private collect(spans: AudioSpan[]): void {
    for (; !this.vad.isEmpty(); this.vad.pop()) {
      const { start, samples } = this.vad.front(false);
      // One that was cut where nobody pauses begins a little before its cut.
      const from = Math.max(this.lastEnd, start / DECODED_RATE);
      this.lastEnd = Math.max(from, (start + samples.length) / DECODED_RATE);
      if (this.lastEnd > from) spans.push({ start: from, end: this.lastEnd });
    }
  }
}

function joined(one: Float32Array, other: Float32Array): Float32Array {
  if (one.length === 0) return other;
  const all = new Float32Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
