import { Unavailable } from '../../errors.js';

/** How long the beginning and the end of an answer wait for their record. */
export const LEDGER_TIMEOUT_MS = 5_000;

/**
 * Waits for a record, but no longer than 5 s.
 * @throws Unavailable where it takes longer; what was promised goes on
 */
export async function withLedgerTimeout<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(ledgerUnavailable()), LEDGER_TIMEOUT_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** 503 while the ledger cannot be written. */
export function ledgerUnavailable(): Unavailable {
  return new Unavailable('Usage cannot be recorded at the moment. Please try again.', 5);
}
