import type { JsonObject } from '../../platform/json/json-object.js';

/**
 * What the transforms of one call know from the earlier calls of its conversation, and leave for the later ones. It is
 * kept where the conversation is, and nowhere else.
 */
export class ConversationMemory {
  private readonly notes = new Map<string, () => JsonObject | undefined>();

  /** @param earlier what the call before has left */
  constructor(private readonly earlier: JsonObject = {}) {}

  /** What was left under a name. */
  recall(name: string): unknown {
    return Object.hasOwn(this.earlier, name) ? this.earlier[name] : undefined;
  }

  /** Leaves under a name what is known when the call has ended; nothing where that is undefined. */
  keep(name: string, note: () => JsonObject | undefined): void {
    this.notes.set(name, note);
  }

  /** All that is left for the next call; undefined where that is nothing. */
  toJSON(): JsonObject | undefined {
    const kept = [...this.notes].flatMap(([name, note]) => {
      const value = note();
      return value ? [[name, value] as const] : [];
    });
    const all = { ...this.earlier, ...Object.fromEntries(kept) };
    return Object.keys(all).length === 0 ? undefined : all;
  }
}
