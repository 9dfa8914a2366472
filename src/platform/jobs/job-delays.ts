/** The attempt at which a job that the server itself does wrong is given up, from 1. */
export const LAST_ATTEMPT = 6;

const FIRST_DELAY_SECONDS = 5;
const LONGEST_DELAY_SECONDS = 300;

/**
 * How long a job waits for what is missing at the moment, in seconds: 5 at first, twice as long each time, 300 at most.
 * @param waits how often it has waited
 */
export function waitSeconds(waits: number): number {
  return Math.min(FIRST_DELAY_SECONDS * 2 ** waits, LONGEST_DELAY_SECONDS);
}
