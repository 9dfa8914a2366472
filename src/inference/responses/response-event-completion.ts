import { BadUpstream } from '../../errors.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

interface KnownItem {
  readonly index: number;
  parts: number;
}

/** Output items of one response, and UTF-16 units of an id: a longer one tells nothing apart. */
const [MAX_ITEMS, MAX_ID] = [1_000, 1_024];
/** Events that belong to one output item; those of the response itself, and unknown ones, have no place in the output. */
const OF_AN_ITEM =
  /^response\.(output_item|content_part|output_text|refusal|reasoning\w*|\w+_call\w*|mcp_list_tools)\./;
/** Events that belong to one part of an output item. */
const OF_A_PART = /^response\.(content_part|output_text|refusal|reasoning_text)\./;

/** What clients gather events by. */
export type GatheringMember = 'sequence_number' | 'output_index' | 'content_index';

/** Whether an event has all that clients gather it by. */
export function isGatherable(type: string, has: (member: GatheringMember) => boolean): boolean {
  return (
    has('sequence_number') &&
    (!OF_AN_ITEM.test(type) || has('output_index')) &&
    (!OF_A_PART.test(type) || has('content_index'))
  );
}

/**
 * Completes the events of one responses stream where the upstream leaves out what clients gather them by:
 * `sequence_number`, `output_index`, `content_index`, and a `response.created` with an empty `output`.
 */
export class ResponseEventCompletion {
  /** By their ids, where they have one. */
  private readonly items = new Map<string, KnownItem>();
  private count = 0;
  private current: KnownItem | undefined;
  /** Whether there has been an event. */
  begun = false;
  /** The number that comes next. */
  sequence = 0;

  /**
   * The event, changed in place, after the first event of the stream where that is missing.
   * @throws BadUpstream where there are more items than any response has
   */
  complete(event: JsonObject): JsonObject[] {
    const isFirst = !this.begun;
    this.begun = true;
    const missing = isFirst && event.type !== 'response.created';
    const events = missing ? [{ type: 'response.created', response: { status: 'in_progress' } }, event] : [event];
    for (const entry of events) this.fill(entry);
    return events;
  }

  /** Told of an event that needed nothing. */
  onPassThrough(): void {
    this.sequence += 1;
  }

  private fill(event: JsonObject): void {
    const type = String(event.type);
    const { response } = event;
    if (/^response\.(created|queued|in_progress)$/.test(type) && isJsonObject(response)) {
      event.response = { ...response, output: Array.isArray(response.output) ? response.output : [] };
    }
    if (OF_AN_ITEM.test(type)) this.place(type, event);
    const given = event.sequence_number;
    event.sequence_number = typeof given === 'number' ? given : this.sequence;
    this.sequence = (event.sequence_number as number) + 1;
  }

  private place(type: string, event: JsonObject): void {
    const item = this.itemOf(type, event);
    event.output_index ??= item.index;
    if (!OF_A_PART.test(type)) return;
    if (type === 'response.content_part.added') item.parts += 1;
    event.content_index ??= Math.max(0, item.parts - 1);
  }

  /** The item that an event says it is of; else the last one, which may never have been announced. */
  private itemOf(type: string, event: JsonObject): KnownItem {
    const id = isJsonObject(event.item) ? event.item.id : event.item_id;
    const known = typeof id === 'string' ? this.items.get(id) : undefined;
    const item = type === 'response.output_item.added' ? undefined : (known ?? this.current);
    if (item) return item;
    const index = typeof event.output_index === 'number' ? event.output_index : this.count;
    this.count += 1;
    if (this.count > MAX_ITEMS) throw new BadUpstream('The model server begins too many items of a response.');
    this.current = { index, parts: 0 };
    if (typeof id === 'string' && id.length <= MAX_ID) this.items.set(id, this.current);
    return this.current;
  }
}
