import type { IncomingMessage } from 'node:http';
import { ClientGone, RequestTimeout } from '../errors.js';
import { liftArrivalDeadline } from '../platform/net/arrival-deadline.js';

/** Whoever sends less in so many milliseconds holds what is reserved for its files for nothing. */
const LEAST_PROGRESS = { bytes: 64 * 1024, milliseconds: 60_000 };
/** However slowly somebody sends. */
const LONGEST_MS = 6 * 3_600_000;

interface ArrivalWatch {
  /** Ends the upload. */
  readonly signal: AbortSignal;
  /** How many bytes have come so far. */
  received(): number;
  /** Told why the body will not come: ClientGone, RequestTimeout, or the reason of the signal; perhaps more than once. */
  fail(error: unknown): void;
}

/** Looks after a body that may take its time, as long as it comes. @returns ends that; the usual deadline holds again */
export function watchArrival(request: IncomingMessage, { signal, received, fail }: ArrivalWatch): () => void {
  const late = (): void => fail(new RequestTimeout());
  let counted = 0;
  const timer = setInterval(() => {
    // Whoever is not read cannot send.
    if (!request.isPaused() && received() - counted < LEAST_PROGRESS.bytes) late();
    counted = received();
  }, LEAST_PROGRESS.milliseconds);
  const longest = setTimeout(late, LONGEST_MS);
  const restoreDeadline = liftArrivalDeadline(request);
  const onClose = (): void => (request.complete ? undefined : fail(new ClientGone()));
  const onAbort = (): void => fail(signal.reason);
  request.once('close', onClose);
  signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    clearInterval(timer);
    clearTimeout(longest);
    restoreDeadline();
    request.off('close', onClose);
    signal.removeEventListener('abort', onAbort);
  };
}
