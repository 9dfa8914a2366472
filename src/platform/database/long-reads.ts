import { CallerPlaces } from '../async/caller-places.js';

/** Statements of one user that wait, beyond which further ones are refused: a search of 20 bases has some 40 of them. */
const WAITING = 400;

/**
 * Places for statements of callers that take long, each on one connection: half of the pool at most, so that the other half
 * is left to sign-in, the ledger and the health, whose statements take a millisecond. A tenant has half of the places, and
 * a user half of those. On one connection, as the embedded database has it, one such statement runs or waits at a time: the
 * others stand behind all that came meanwhile.
 */
export function createLongReads(poolSize: number): CallerPlaces {
  const places = Math.max(1, Math.floor(poolSize / 2));
  const perTenant = Math.ceil(places / 2);
  return new CallerPlaces({
    name: 'large queries',
    places,
    perTenant,
    perUser: Math.ceil(perTenant / 2),
    waiting: WAITING,
  });
}
