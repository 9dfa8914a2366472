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
/** Behind silence or another sound the model may notice speech late: so much before it is listened to once more. */
const BEFORE_SECONDS = 1;
/** How much of a span there is when it is noticed, and to spare, in seconds. */
const NOTICED_SECONDS = 0.2;
/** What the model looks at at once, in samples. */
const WINDOW = 512;

/** Tells where somebody speaks, while the samples come: of one audio after another, since loading the model takes longer than most turns. */
export class SpeechDetector {
  private readonly vad = openVad(BUFFER_SECONDS);
  private readonly beginnings = new SpeechBeginnings();
  private rest = new Float32Array(0);
  private acceptedSamples = 0;
  private speechSamples = 0;
  private lastEnd = 0;
  /** Where the span that has not ended begins, in seconds, where that is earlier than the model has noticed. */
  private earlier: number | undefined;

  /** Forgets all that was heard: another audio begins. */
  reset(): void {
    this.vad.reset();
    this.beginnings.reset();
    this.rest = new Float32Array(0);
    this.acceptedSamples = 0;
    this.speechSamples = 0;
    this.lastEnd = 0;
    this.earlier = undefined;
  }

  /** @param samples at 16 kHz, from -1 to 1 @returns the spans that have come to their ends, in seconds */
  accept(samples: Float32Array): AudioSpan[] {
    const all = joined(this.rest, samples);
    const spans: AudioSpan[] = [];
    let place = 0;
    for (; place + WINDOW <= all.length; place += WINDOW) {
      const window = all.subarray(place, place + WINDOW);
      this.vad.acceptWaveform(window);
      this.beginnings.keep(window);
      this.acceptedSamples += WINDOW;
      if (!this.vad.isDetected()) this.speechSamples = 0;
      else {
        if (this.speechSamples === 0) this.earlier = this.beginnings.find(this.acceptedSamples, this.lastEnd);
        this.speechSamples += WINDOW;
      }
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
      const from = Math.max(this.lastEnd, Math.min(start / DECODED_RATE, this.earlier ?? Number.POSITIVE_INFINITY));
      this.earlier = undefined;
      this.lastEnd = Math.max(from, (start + samples.length) / DECODED_RATE);
      if (this.lastEnd > from) spans.push({ start: from, end: this.lastEnd });
    }
  }
}

/**
 * Listens once more, as if nothing had been heard before, to what came shortly before speech was noticed. The model
 * remembers what it has heard: after a long pause or another sound the first words are not enough to change its mind.
 */
class SpeechBeginnings {
  private readonly vad = openVad(2 * (BEFORE_SECONDS + NOTICED_SECONDS));
  private readonly kept: Float32Array[] = [];

  /** What was kept is that of another audio. */
  reset(): void {
    this.kept.length = 0;
  }

  /** @param window becomes part of what may be listened to again */
  keep(window: Float32Array): void {
    this.kept.push(window.slice());
    if (this.kept.length * WINDOW > (BEFORE_SECONDS + NOTICED_SECONDS) * DECODED_RATE) this.kept.shift();
  }

  /**
   * @param end how many samples there were up to now
   * @param lastEnd where the span before ends, in seconds: its end is no beginning
   * @returns where speech began, in seconds; undefined: none was heard
   */
  find(end: number, lastEnd: number): number | undefined {
    const windows = Math.min(this.kept.length, Math.floor((end - lastEnd * DECODED_RATE) / WINDOW));
    this.vad.reset();
    for (const window of this.kept.slice(this.kept.length - windows)) this.vad.acceptWaveform(window);
    this.vad.flush();
    const first = this.vad.isEmpty() ? undefined : this.vad.front(false).start;
    while (!this.vad.isEmpty()) this.vad.pop();
    return first === undefined ? undefined : (end - windows * WINDOW + first) / DECODED_RATE;
  }
}

/** @param bufferSeconds so much of a span can be kept until its end */
function openVad(bufferSeconds: number): InstanceType<typeof sherpa.Vad> {
  return new sherpa.Vad(
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
    bufferSeconds,
  );
}

function joined(one: Float32Array, other: Float32Array): Float32Array {
  if (one.length === 0) return other;
  const all = new Float32Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
