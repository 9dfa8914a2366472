/** What is called with each message of a topic; it must not throw. */
export type Listener = (message: unknown) => void;

/** Messages from whoever knows of something to whoever wants to hear of it. */
export interface Topics {
  /** @param message JSON */
  publish(topic: string, message: unknown): void;
  /** Calls a listener with the messages of a topic from now on; the returned function ends that. */
  subscribe(topic: string, listener: Listener): () => void;
}

/** Topics within one process. */
export class MemoryTopics implements Topics {
  private readonly listeners = new Map<string, Set<Listener>>();

  publish(topic: string, message: unknown): void {
    for (const listener of this.listeners.get(topic) ?? []) listener(message);
  }

  subscribe(topic: string, listener: Listener): () => void {
    const listeners = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, listeners.add(listener));
    return () => {
      if (listeners.delete(listener) && listeners.size === 0) this.listeners.delete(topic);
    };
  }
}
