import { Coalescer } from '../async/coalescer.js';
import type { Topics } from './topics.js';

/** Changes of one thing within this time are one message: each of its parts changes it. */
const COALESCE_MS = 250;

/** Tells, on every replica, that one of many things of a kind has changed. A message may get lost with Redis. */
export class ChangeNotifier {
  private readonly changes = new Coalescer(COALESCE_MS);

  /** @param kind begins the name of each topic; no other notifier has it */
  constructor(
    private readonly topics: Topics,
    private readonly kind: string,
  ) {}

  /** To be called when something has changed, and the change is committed. */
  readonly changed = (id: string): void => {
    this.changes.call(id, () => this.topics.publish(this.topicOf(id), {}));
  };

  /** Calls a listener whenever it has changed; the returned function ends that. */
  listen(id: string, listener: () => void): () => void {
    return this.topics.subscribe(this.topicOf(id), listener);
  }

  /** Drops what has not been told yet. */
  close(): void {
    this.changes.close();
  }

  private topicOf(id: string): string {
    return `${this.kind}:${id}`;
  }
}
