import { CallerPlaces } from '../../../platform/async/caller-places.js';
import type { PlaceLimits } from '../../../platform/async/caller-places.js';

/** How long anybody waits for a place, in milliseconds, and how many of one user may. */
const WAIT_MS = 60_000;
const WAITING = 100;

/** Places for sound that this machine makes, from its beginning until it is read: a slow reader holds its own alone. */
export function soundPlaces(limits: Pick<PlaceLimits, 'places' | 'perTenant' | 'perUser'>): CallerPlaces {
  return new CallerPlaces({ name: 'spoken texts', ...limits, waiting: WAITING, waitMs: WAIT_MS });
}
