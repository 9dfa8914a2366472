import { Coalescer } from '../../platform/async/coalescer.js';
import type { Topics } from '../../platform/cluster/topics.js';
import { isJsonObject } from '../../platform/json/json-object.js';

/** Events of a session within this time are one message. */
const COALESCE_MS = 100;

/** What has happened to a session: it has new events or is gone, or nobody wants it to go on. */
export type ResearchChange = 'changed' | 'cancelled';

/** Tells, on every replica, that something has happened to a session. A message may get lost with Redis. */
export class ResearchNotifier {
  private readonly changes = new Coalescer(COALESCE_MS);

  constructor(private readonly topics: Topics) {}

  /** To be called when a session has new events, or is gone, and that is committed. */
  readonly changed = (id: string): void => {
    this.changes.call(id, () => this.publish(id, 'changed'));
  };

  /** To be called when a session was cancelled or deleted, and that is committed: its job must stop. It is told at once. */
  readonly cancelled = (id: string): void => this.publish(id, 'cancelled');

  /** Calls a listener whenever something has happened to a session; the returned function ends that. */
  listen(id: string, listener: (change: ResearchChange) => void): () => void {
    return this.topics.subscribe(topicOf(id), (message) => {
      if (isJsonObject(message)) listener(message.change === 'cancelled' ? 'cancelled' : 'changed');
    });
  }

  /** Drops what has not been told yet. */
  close(): void {
    this.changes.close();
  }

  private publish(id: string, change: ResearchChange): void {
    this.topics.publish(topicOf(id), { change });
  }
}

function topicOf(id: string): string {
  return `researcher:${id}`;
}
