import { DECODED_RATE } from '../../platform/audio/audio.types.js';
import { BlockBuffer } from './block-buffer.js';
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
  private readonly kept = new BlockBuffer(SLICE_BYTES);
  private totalBytes = 0;
  private detector: TurnDetector | undefined;

  constructor(private detection: TurnDetection | null) {
    this.detector = detection ? new TurnDetector(detection) : undefined;
  }

  /** How much there is, in milliseconds. */
  get milliseconds(): number {
    return this.kept.length / BYTES_PER_MS;
  }

  /** Where it begins in the session, in milliseconds. */
  get startMs(): number {
    return (this.totalBytes - this.kept.length) / BYTES_PER_MS;
  }

  /** Whether somebody speaks, as far as that is looked for. */
  get isSpeaking(): boolean {
    return this.detector?.isSpeaking ?? false;
  }

  /** From now on turns are found so; null: they are not. A turn that has begun goes on. */
  detect(detection: TurnDetection | null): void {
    this.detection = detection;
    if (detection && this.detector) this.detector.adjust(detection);
    else this.detector = detection ? new TurnDetector(detection, this.totalBytes / BYTES_PER_MS) : undefined;
  }

  /** Adds samples of 16 kHz, and tells what happens while they are added. Whoever is told may take the turn. */
  *push(samples: Buffer): Generator<BufferChange, void, undefined> {
    for (let at = 0; at < samples.length; at += SLICE_BYTES) {
      const slice = samples.subarray(at, at + SLICE_BYTES);
      this.kept.push(slice);
      this.totalBytes += slice.length;
      yield* this.detector?.push(slice) ?? [];
      if (this.milliseconds >= MOST_MS) yield { kind: 'full' };
      if (this.detector && !this.detector.isSpeaking) this.forget();
    }
  }

  /** Takes what is there as a turn that is over. */
  take(): Buffer {
    const samples = this.kept.take();
    this.clear();
    return samples;
  }

  clear(): void {
    this.kept.clear();
    this.detector?.reset();
  }

  /** What nobody speaks in is kept for as long as it may belong to the next turn. */
  private forget(): void {
    this.kept.dropUntil(((this.detection?.prefixMs ?? 0) + LOOK_BACK_MS) * BYTES_PER_MS);
  }
}
