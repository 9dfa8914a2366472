/** An event as it is stored. */
export interface StoredEvent {
  /** From 1 for each subject, without gaps. */
  readonly id: number;
  readonly type: string;
  /** JSON in one line. */
  readonly data: string;
}

/** How much a batch may be, which is what a slow reader holds. An event that is larger comes alone. */
export const BATCH_LIMITS = { events: 500, bytes: 64 * 1_024 } as const;

/** Events that follow one another, at least one. Readers at the same place share them, and their bytes. */
export class EventBatch {
  private encoded: Buffer | undefined;

  constructor(readonly events: readonly [StoredEvent, ...StoredEvent[]]) {}

  get lastId(): number {
    return (this.events.at(-1) as StoredEvent).id;
  }

  /** As `text/event-stream`. */
  get bytes(): Buffer {
    this.encoded ??= Buffer.from(
      this.events.map(({ id, type, data }) => `event: ${type}\nid: ${id}\ndata: ${data}\n\n`).join(''),
    );
    return this.encoded;
  }
}

/** @returns undefined where there are no events */
export function toBatch([first, ...others]: readonly StoredEvent[]): EventBatch | undefined {
  return first && new EventBatch([first, ...others]);
}
