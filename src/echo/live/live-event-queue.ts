import type { Logger } from 'pino';
import type { NewLiveEvent } from './live-event-log.js';
import type { LiveEvents } from './live-events.js';

/** Failures behind another one wait so long, to be one event: a session whose model hangs has ten a second and more. */
const FAILURES_MS = 5_000;
/** Where so many events of one recording wait, nothing is added; a session has those of one turn waiting at most. */
const MOST_WAITING = 2_000;

interface LiveEventQueueParts {
  /** Stores events in one transaction. */
  readonly events: Pick<LiveEvents, 'add'>;
  readonly log: Logger;
}

/** That turns could not be transcribed. */
interface Failure extends NewLiveEvent {
  readonly data: NewLiveEvent['data'] & { readonly turns: number };
}

/** What waits of one recording. */
interface PendingEvents {
  events: NewLiveEvent[];
  /** Resolved when they are stored, or cannot be. */
  stored: PromiseWithResolvers<void>;
  /** Ends when nothing waits any more. */
  storing: Promise<void> | undefined;
  /** Ends a pause. */
  wake: (() => void) | undefined;
}

/**
 * Stores the events of live transcriptions in their order, in one transaction at a time for each recording: what comes
 * meanwhile waits here and is stored together, since whoever waited for the lock of the recording would hold one of the
 * few connections. Failures that follow each other become one event, so that they fill no table.
 */
export class LiveEventQueue {
  private readonly pending = new Map<string, PendingEvents>();
  private isClosing = false;

  constructor(private readonly parts: LiveEventQueueParts) {}

  /**
   * Adds events behind those that wait. A `STATUS` of `failed` says in `turns` how many could not be transcribed.
   * Resolves when they are stored, or cannot be. Never fails.
   */
  add(recordingId: string, added: readonly NewLiveEvent[]): Promise<void> {
    const pending = this.pendingOf(recordingId);
    const areFailures = added.every(isFailure);
    // Failures take no room: those that wait become one.
    if (pending.events.length >= MOST_WAITING && !areFailures) {
      this.parts.log.warn({ recordingId }, 'too many events of a live transcription wait to be stored');
      return Promise.resolve();
    }
    for (const event of added) append(pending.events, event);
    if (!areFailures) pending.wake?.();
    const { promise } = pending.stored;
    pending.storing ??= this.storeAll(recordingId, pending);
    return promise;
  }

  /** Stores what waits. */
  async close(): Promise<void> {
    this.isClosing = true;
    const all = [...this.pending.values()];
    for (const { wake } of all) wake?.();
    await Promise.all(all.map(({ storing }) => storing));
  }

  private pendingOf(recordingId: string): PendingEvents {
    const known = this.pending.get(recordingId);
    if (known) return known;
    const pending: PendingEvents = { events: [], stored: Promise.withResolvers(), storing: undefined, wake: undefined };
    this.pending.set(recordingId, pending);
    return pending;
  }

  private async storeAll(recordingId: string, pending: PendingEvents): Promise<void> {
    while (pending.events.length > 0) {
      const { events, stored } = pending;
      pending.events = [];
      pending.stored = Promise.withResolvers();
      await this.store(recordingId, events);
      stored.resolve();
      if (events.some(isFailure)) await this.pause(pending);
    }
    this.pending.delete(recordingId);
  }

  private async store(recordingId: string, events: readonly NewLiveEvent[]): Promise<void> {
    try {
      await this.parts.events.add(recordingId, events);
    } catch (error) {
      this.parts.log.warn({ err: error }, 'events of a live transcription are not stored');
    }
  }

  /** Waits for more failures, until something else is to be stored. */
  private async pause(pending: PendingEvents): Promise<void> {
    if (this.isClosing || !pending.events.every(isFailure)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, FAILURES_MS);
      pending.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    pending.wake = undefined;
  }
}

function isFailure(event: NewLiveEvent): event is Failure {
  return event.type === 'STATUS' && event.data['status'] === 'failed';
}

/** Adds an event; a failure behind another one makes one of both, with the `item_id` and `error` of the last. */
function append(events: NewLiveEvent[], event: NewLiveEvent): void {
  const last = events.at(-1);
  if (last && isFailure(last) && isFailure(event)) {
    events[events.length - 1] = { ...event, data: { ...event.data, turns: last.data.turns + event.data.turns } };
  } else {
    events.push(event);
  }
}
