import type { IdempotencyAttempt } from './idempotency.js';
import { ReplayRecorder } from './replay-recorder.js';

interface KeyedRunParts {
  /** Takes a place for a call whose client has left; the returned function gives it back. Undefined: none is free. */
  readonly takePlace: () => (() => void) | undefined;
  /** Stops the operation: nobody waits for it. */
  readonly stop: () => void;
}

/** An operation that has claimed its Idempotency-Key, until it is over: it may outlive the client who asked for it. */
export class KeyedRun {
  private recorder: ReplayRecorder | undefined;
  /** Undefined while the client is there. */
  private leavePlace: (() => void) | undefined;
  private isOver = false;

  constructor(
    readonly attempt: IdempotencyAttempt,
    private readonly parts: KeyedRunParts,
  ) {}

  /** Copies the streamed response for replays. One that has become too large is for nobody once its client has left. */
  record(headers: Readonly<Record<string, string>>): ReplayRecorder {
    this.recorder = new ReplayRecorder(headers, () => this.leavePlace && this.parts.stop());
    return this.recorder;
  }

  /**
   * The client has left: a call of a model goes on, since its answer can be asked for again; all else stops.
   * @returns whether it goes on
   */
  leave(): boolean {
    const isAskedAgain = !this.isOver && this.attempt.callClaim !== undefined && !this.recorder?.isTooLarge;
    if (isAskedAgain) this.leavePlace ??= this.parts.takePlace();
    if (this.leavePlace) this.attempt.leave();
    else this.parts.stop();
    return this.leavePlace !== undefined;
  }

  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.attempt.close();
    this.leavePlace?.();
  }
}
