import { DECODED_RATE } from '../../platform/audio/audio.types.js';
import { TurnDetector } from './turn-detector.js';
import type { TurnDetection } from './turn-detector.js';

const BYTES_PER_MS = (DECODED_RATE * 2) / 1_000;
/** What is looked at at once: turns end within it. */
const SLICE_BYTES = 100 * BYTES_PER_MS;
/** The longest turn; what goes on is the next one. */
const MOST_MS = 30_000;
/** What a detector looks back at, beside what belongs to a turn before it begins. */
const LOOK_BACK_MS = 200;

/** What happens to the audio of a session, in milliseconds from its beginning. */
export type BufferChange = { readonly kind: 'started' | 'stopped'; readonly atMs: number } | { readonly kind: 'full' };

/** The audio of a session that belongs to no turn that is over. */
export class TurnBuffer {
  private parts: Buffer[] = [];
  private bytes = 0;
  private totalBytes = 0;
  private detector: TurnDetector | undefined;

  constructor(private detection: TurnDetection | null) {
    this.detector = detection ? new TurnDetector(detection) : undefined;
  }

  /** How much there is, in milliseconds. */
  get milliseconds(): number {
    return this.bytes / BYTES_PER_MS;
  }

  /** Where it begins in the session, in milliseconds. */
  get startMs(): number {
    return (this.totalBytes - this.bytes) / BYTES_PER_MS;
  }

  /** Whether somebody speaks, as far as that is looked for. */
  get isSpeaking(): boolean {
    return this.detector?.isSpeaking ?? false;
  }

  /** From now on turns are found so; null: they are not. */
  detect(detection: TurnDetection | null): void {
    this.detection = detection;
    this.detector = detection ? new TurnDetector(detection) : undefined;
  }

  /** Adds samples of 16 kHz, and tells what happens while they are added. Whoever is told may take the turn. */
  *push(samples: Buffer): Generator<BufferChange, void, undefined> {
    for (let at = 0; at < samples.length; at += SLICE_BYTES) {
      const slice = samples.subarray(at, at + SLICE_BYTES);
      this.parts.push(slice);
      this.bytes += slice.length;
      this.totalBytes += slice.length;
      yield* this.detector?.push(slice) ?? [];
      if (this.milliseconds >= MOST_MS) yield { kind: 'full' };
      if (this.detector && !this.detector.isSpeaking) this.forget();
    }
  }

  /** Takes what is there as a turn that is over. */
  take(): Buffer {
    const samples = Buffer.concat(this.parts, this.bytes);
    this.clear();
    return samples;
  }

  clear(): void {
    this.parts = [];
    this.bytes = 0;
    this.detector?.reset();
  }

  /** What nobody speaks in is kept for as long as it may belong to the next turn. */
  private forget(): void {
    const kept = ((this.detection?.prefixMs ?? 0) + LOOK_BACK_MS) * BYTES_PER_MS;
    while (this.parts[0] && this.bytes - this.parts[0].length >= kept) {
      this.bytes -= this.parts[0].length;
      this.parts.shift();
    }
  }
}
