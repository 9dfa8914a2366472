import { ModelCaller } from '../../../src/researcher/analysts/model-caller.js';

/** Has a model whose server has failed asked again at once, until it is disposed of. */
export function askAgainAtOnce(): Disposable {
  const { waitsMs } = ModelCaller;
  ModelCaller.waitsMs = waitsMs.map(() => 0);
  return { [Symbol.dispose]: () => void (ModelCaller.waitsMs = waitsMs) };
}

/** The time of sessions, held until a test ends it. */
export interface HeldTime extends Disposable {
  /** Ends the time in which sessions search and fetch. */
  end(): void;
}

/** What a session asks for whose time is held, in seconds: no other timer runs for as long. */
export const HELD_SECONDS = 3_000;

/** Holds the time of the sessions that ask for `HELD_SECONDS`, until it is disposed of. */
export function holdTime(): HeldTime {
  const { timeout } = AbortSignal;
  const controller = new AbortController();
  const [least, most] = [HELD_SECONDS * 700, HELD_SECONDS * 800];
  AbortSignal.timeout = (ms) => (ms > least && ms <= most ? controller.signal : timeout.call(AbortSignal, ms));
  return {
    end: () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
    [Symbol.dispose]: () => void (AbortSignal.timeout = timeout),
  };
}
