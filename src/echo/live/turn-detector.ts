/** How the ends of what somebody says are found. */
export interface TurnDetection {
  /** From 0 to 1: how much louder than what is around it speech must be. */
  readonly threshold: number;
  /** What belongs to a turn before it begins. */
  readonly prefixMs: number;
  /** The silence that ends a turn. */
  readonly silenceMs: number;
}

/** Where a turn begins or ends, in milliseconds of the session. */
export interface TurnChange {
  readonly kind: 'started' | 'stopped';
  readonly atMs: number;
}

/** Of OpenAI's interface. */
export const DEFAULT_DETECTION: TurnDetection = { threshold: 0.5, prefixMs: 300, silenceMs: 500 };

const FRAME_MS = 20;
const FRAME_BYTES = 640;
/** Of the last frames so many must be loud before somebody speaks. */
const LOUD_FRAMES = 4;
const RECENT_FRAMES = 6;
/** Decibels over what is around that count as loud: at a threshold of 0 and of 1. */
const LEAST_DECIBELS = 6;
const MOST_DECIBELS = 18;
/** What is quieter is silence, whatever is around it: of full scale. */
const SILENCE_DECIBELS = -55;
/** How fast what is around is learned: at once when it becomes quieter, slowly when it becomes louder. */
const RISE = 0.01;

/**
 * Finds turns in samples while they come, by their loudness over what is around them. It is quick and costs nothing, and
 * takes noises for speech: what was said is looked at once more before an engine is asked.
 */
export class TurnDetector {
  private rest: Buffer = Buffer.alloc(0);
  private floor = SILENCE_DECIBELS;
  private recent: boolean[] = [];
  private quietMs = 0;
  private isOpen = false;

  /** @param nowMs where in the session it begins */
  constructor(
    private detection: TurnDetection,
    private nowMs = 0,
  ) {}

  /** Whether somebody speaks. */
  get isSpeaking(): boolean {
    return this.isOpen;
  }

  /** Other thresholds from now on; a turn that has begun goes on. */
  adjust(detection: TurnDetection): void {
    this.detection = detection;
  }

  /** @param samples of 16 kHz, 16 bits */
  push(samples: Buffer): TurnChange[] {
    const bytes = this.rest.length === 0 ? samples : Buffer.concat([this.rest, samples]);
    const changes: TurnChange[] = [];
    let at = 0;
    for (; at + FRAME_BYTES <= bytes.length; at += FRAME_BYTES) {
      const change = this.look(loudness(bytes.subarray(at, at + FRAME_BYTES)));
      if (change) changes.push(change);
    }
    this.rest = Buffer.from(bytes.subarray(at));
    return changes;
  }

  /** A turn has ended for another reason. */
  reset(): void {
    this.isOpen = false;
    this.recent = [];
    this.quietMs = 0;
  }

  private look(decibels: number): TurnChange | undefined {
    this.nowMs += FRAME_MS;
    const over = LEAST_DECIBELS + this.detection.threshold * (MOST_DECIBELS - LEAST_DECIBELS);
    const isLoud = decibels > SILENCE_DECIBELS && decibels > this.floor + over;
    if (decibels < this.floor) this.floor = decibels;
    else this.floor += (decibels - this.floor) * (isLoud ? RISE / 10 : RISE);
    this.recent = [...this.recent.slice(1 - RECENT_FRAMES), isLoud];
    if (!this.isOpen) {
      if (this.recent.filter(Boolean).length < LOUD_FRAMES) return undefined;
      this.isOpen = true;
      this.quietMs = 0;
      return { kind: 'started', atMs: Math.max(0, this.nowMs - RECENT_FRAMES * FRAME_MS - this.detection.prefixMs) };
    }
    this.quietMs = isLoud ? 0 : this.quietMs + FRAME_MS;
    if (this.quietMs < this.detection.silenceMs) return undefined;
    this.reset();
    return { kind: 'stopped', atMs: this.nowMs };
  }
}

/** Of a frame, in decibels of full scale. */
function loudness(frame: Buffer): number {
  let sum = 0;
  for (let at = 0; at < frame.length; at += 2) sum += frame.readInt16LE(at) ** 2;
  return 10 * Math.log10(sum / (frame.length / 2) / 32_768 ** 2 + 1e-10);
}
