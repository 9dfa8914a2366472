import { isJsonObject } from '../json.types.js';
import type { JsonObject } from '../json.types.js';

interface KnownItem {
  readonly index: number;
  parts: number;
}

/** Events that belong to one part of an output item. */
const OF_A_PART = /^response\.(content_part|output_text|refusal|reasoning_text)\./;

/**
 * Completes the events of one responses stream where the upstream leaves out what clients gather them by:
 * `sequence_number`, `output_index`, `content_index`, and a `response.created` with an empty `output`.
 */
export class ResponseEventCompletion {
  private readonly items = new Map<unknown, KnownItem>();
  private current: KnownItem | undefined;
  private created = false;
  private sequence = 0;

  /** The event, changed in place, after the first event of the stream where that is missing. */
  complete(event: JsonObject): JsonObject[] {
    const isFirst = !this.created;
    this.created = true;
    const missing = isFirst && event.type !== 'response.created';
    const events = missing ? [{ type: 'response.created', response: { status: 'in_progress' } }, event] : [event];
    for (const entry of events) this.fill(entry);
    return events;
  }

  private fill(event: JsonObject): void {
    const type = String(event.type);
    if (/^response\.(created|queued|in_progress)$/.test(type) && isJsonObject(event.response)) {
      event.response = { output: [], ...event.response };
    }
    const item = this.itemOf(type, event);
    if (item) event.output_index ??= item.index;
    if (item && OF_A_PART.test(type)) {
      if (type === 'response.content_part.added') item.parts += 1;
      event.content_index ??= Math.max(0, item.parts - 1);
    }
    const given = event.sequence_number;
    event.sequence_number = typeof given === 'number' ? given : this.sequence;
    this.sequence = (event.sequence_number as number) + 1;
  }

  private itemOf(type: string, event: JsonObject): KnownItem | undefined {
    const id = isJsonObject(event.item) ? event.item.id : event.item_id;
    if (type === 'response.output_item.added') {
      const index = typeof event.output_index === 'number' ? event.output_index : this.items.size;
      this.current = { index, parts: 0 };
      this.items.set(id, this.current);
      return this.current;
    }
    return event.item === undefined && event.item_id === undefined ? undefined : (this.items.get(id) ?? this.current);
  }
}
