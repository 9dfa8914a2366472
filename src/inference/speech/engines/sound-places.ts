import { Unavailable } from '../../../errors.js';
import { FairSlots } from '../../../platform/async/fair-slots.js';

/** How long anybody waits for a place, in milliseconds, and how many of one caller may. */
const WAIT_MS = 60_000;
const WAITING = 100;

/** Places for sound that this machine makes, from its beginning until it is read: a slow reader holds its own alone. */
export class SoundPlaces {
  private readonly slots: FairSlots;

  /**
   * @param places of all callers
   * @param perCaller of one
   */
  constructor(places: number, perCaller: number) {
    this.slots = new FairSlots({ slots: places, perOwner: perCaller, waiting: WAITING, refusal: busy });
  }

  /**
   * Waits for a place.
   * @returns gives it back; may be called more than once
   * @throws Unavailable where too many of the caller wait, or the wait is too long; the signal's reason
   */
  async take(callerId: string, signal: AbortSignal): Promise<() => void> {
    const late = AbortSignal.timeout(WAIT_MS);
    try {
      const release = await this.slots.take(callerId, AbortSignal.any([signal, late]));
      let isHeld = true;
      return () => {
        if (isHeld) release();
        isHeld = false;
      };
    } catch (error) {
      throw error === late.reason ? busy() : error;
    }
  }
}

function busy(): Unavailable {
  return new Unavailable('The speech engine is busy. Please try again.');
}
