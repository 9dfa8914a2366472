import type { Topics } from '../../platform/cluster/topics.js';

/** Changes of a recording within this time are one message: each piece of its audio changes it. */
const COALESCE_MS = 250;

/** Tells, on every replica, that a recording has changed. */
export class RecordingNotifier {
  private readonly waiting = new Map<string, NodeJS.Timeout>();

  constructor(private readonly topics: Topics) {}

  /** To be called when a recording has changed, and the change is committed. */
  readonly changed = (id: string): void => {
    if (this.waiting.has(id)) return;
    const tell = (): void => {
      this.waiting.delete(id);
      this.topics.publish(topicOf(id), {});
    };
    this.waiting.set(id, setTimeout(tell, COALESCE_MS).unref());
  };

  /** Calls a listener whenever a recording has changed; the returned function ends that. */
  listen(id: string, listener: () => void): () => void {
    return this.topics.subscribe(topicOf(id), listener);
  }

  /** Drops what has not been told yet. */
  close(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
  }
}

function topicOf(id: string): string {
  return `echo:${id}`;
}
