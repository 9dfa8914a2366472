import { BATCH_LIMITS, toBatch } from './event-batch.js';
import type { EventBatch, StoredEvent } from './event-batch.js';

const MAX_EVENTS = 1_000;
/** Characters of their data. */
const MAX_CHARACTERS = 256 * 1_024;

/** The youngest events of a subject, as many as may be kept. */
export class EventWindow {
  private readonly events: StoredEvent[] = [];
  private characters = 0;
  /** Most readers have read equally far, and wait for the same. */
  private shared: { readonly after: number; readonly until: number; readonly batch: EventBatch } | undefined;

  /** Adds those that follow; the oldest make place for them. */
  add({ events }: EventBatch): void {
    for (const event of events) {
      this.events.push(event);
      this.characters += event.data.length;
    }
    while (this.events.length > MAX_EVENTS || (this.characters > MAX_CHARACTERS && this.events.length > 1)) {
      this.characters -= this.events.shift()?.data.length ?? 0;
    }
  }

  /** Events that follow one, as many as a batch may have; undefined where they are gone already, or there are none. */
  after(id: number): EventBatch | undefined {
    const [first] = this.events;
    const until = this.events.at(-1)?.id;
    if (!first || until === undefined || id < first.id - 1 || id >= until) return undefined;
    if (this.shared?.after === id && this.shared.until === until) return this.shared.batch;
    // Ids have no gaps.
    const batch = toBatch(this.cut(id + 1 - first.id));
    if (batch) this.shared = { after: id, until, batch };
    return batch;
  }

  private cut(start: number): StoredEvent[] {
    const cut: StoredEvent[] = [];
    for (let index = start, bytes = 0; index < this.events.length && cut.length < BATCH_LIMITS.events; index += 1) {
      const event = this.events[index] as StoredEvent;
      bytes += Buffer.byteLength(event.data);
      if (cut.length > 0 && bytes > BATCH_LIMITS.bytes) break;
      cut.push(event);
    }
    return cut;
  }
}
