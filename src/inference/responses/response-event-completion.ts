import { BadUpstream } from '../../errors.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { begunItem, itemOfEvent, partOfEvent } from './begun-items.js';
import { newItemId } from './response-shape.js';

/** An output item that events have been about. */
interface KnownItem {
  readonly index: number;
  /** Its own, or the one that it got here. */
  readonly id: unknown;
  /** Who has told clients that it begins. */
  addedBy?: 'server' | 'gateway';
  /** As its server has begun it. */
  type?: unknown;
  isDone: boolean;
  /** How many of its parts clients know of. */
  content_index: number;
  summary_index: number;
  /** Events of a call of a tool until one says which call it is. */
  readonly held: JsonObject[];
}

/** How the parts of an output item are told. */
interface PartKind {
  /** Its events. */
  readonly of: RegExp;
  /** The first of them. */
  readonly added: string;
  readonly index: 'content_index' | 'summary_index';
}

/** Output items of one response, and UTF-16 units of an id: a longer one tells nothing apart. */
const [MAX_ITEMS, MAX_ID] = [1_000, 1_024];
/** UTF-16 units of events that are held. */
const MAX_HELD = 4 * 1024 * 1024;
const ITEM_ADDED = 'response.output_item.added';
const ITEM_DONE = 'response.output_item.done';
/** Events that belong to one output item; those of the response itself, and unknown ones, have no place in the output. */
const OF_AN_ITEM =
  /^response\.(output_item|content_part|output_text|refusal|reasoning\w*|\w+_call\w*|mcp_list_tools)\./;
/** Events of calls whose beginning says which call it is. */
const OF_A_NAMED_CALL = /^response\.(function|custom_tool)_call/;
const PART_KINDS: readonly PartKind[] = [
  {
    of: /^response\.(content_part|output_text|refusal|reasoning|reasoning_text)\./,
    added: 'response.content_part.added',
    index: 'content_index',
  },
  {
    of: /^response\.reasoning_summary(_part|_text)?\./,
    added: 'response.reasoning_summary_part.added',
    index: 'summary_index',
  },
];
/** Behind them nothing is missing any more. */
const ENDS = new Set(['response.completed', 'response.incomplete']);

/** Members of an event that is not parsed. */
export interface UnparsedEvent {
  /** A member whose value is a number that is not negative; undefined where it is none. */
  numberOf(member: 'sequence_number' | 'output_index' | PartKind['index']): number | undefined;
  readonly hasItemId: boolean;
}

/**
 * Completes the events of one responses stream with what clients gather them by, where the upstream leaves it out:
 * `response.created`, what tells that an output item or a part of it begins, `sequence_number`, `item_id` and indexes.
 */
export class ResponseEventCompletion {
  private readonly byIndex = new Map<number, KnownItem>();
  /** Of items that have ids. */
  private readonly byId = new Map<string, KnownItem>();
  private count = 0;
  private current: KnownItem | undefined;
  private heldCharacters = 0;
  /** Of the event that `isComplete` was asked about last. */
  private passing = 0;
  /** Whether there has been an event. */
  begun = false;
  /** The number that comes next. */
  sequence = 0;

  /** Whether nothing is missing in an event, nor before it. */
  isComplete(type: string, event: UnparsedEvent): boolean {
    const number = event.numberOf('sequence_number');
    if (number === undefined || number < this.sequence) return false;
    this.passing = number;
    return !OF_AN_ITEM.test(type) || this.isPlaced(type, event);
  }

  /** Told of an event that was complete. */
  onPassThrough(): void {
    this.sequence = this.passing + 1;
  }

  /**
   * The event, changed in place, and what is missing before it; without the event where it was put in before, or says of a
   * call of a tool what cannot be told yet.
   * @throws BadUpstream where there are more items than any response has
   */
  complete(event: JsonObject): JsonObject[] {
    const isFirst = !this.begun;
    this.begun = true;
    const events = this.withMissing(String(event.type), event);
    if (isFirst && event.type !== 'response.created') {
      events.unshift({ type: 'response.created', response: { status: 'in_progress' } });
    }
    for (const entry of events) this.number(entry);
    return events;
  }

  private isPlaced(type: string, event: UnparsedEvent): boolean {
    const item = this.byIndex.get(event.numberOf('output_index') ?? -1);
    if (!item?.addedBy || type === ITEM_ADDED || type === ITEM_DONE || !event.hasItemId) return false;
    const kind = PART_KINDS.find(({ of }) => of.test(type));
    return !kind || (type !== kind.added && (event.numberOf(kind.index) ?? item[kind.index]) < item[kind.index]);
  }

  private number(event: JsonObject): void {
    const { sequence_number: given } = event;
    const number = typeof given === 'number' && given >= this.sequence ? given : this.sequence;
    event.sequence_number = number;
    this.sequence = number + 1;
  }

  private withMissing(type: string, event: JsonObject): JsonObject[] {
    if (ENDS.has(type) && isJsonObject(event.response)) return [...this.finish(event.response), event];
    if (!OF_AN_ITEM.test(type)) return [event];
    const item = this.itemOf(type, event);
    event.output_index ??= item.index;
    if (type === ITEM_ADDED) {
      if (item.addedBy) return [];
      item.addedBy = 'server';
      const [begun = {}] = objectsOf([event.item]);
      item.type = begun.type;
      // Some servers begin an item with its first part in it.
      item.content_index = objectsOf(begun.content).length;
      item.summary_index = objectsOf(begun.summary).length;
      return [event, ...item.held.splice(0)];
    }
    if (type === ITEM_DONE) return this.done(item, event);
    event.item_id ??= item.id;
    if (!item.addedBy && OF_A_NAMED_CALL.test(type)) return this.hold(item, event);
    return [...this.added(item, () => itemOfEvent(type, event, item.id)), ...this.withPart(type, event, item)];
  }

  /** That an item begins, where nobody has told it. */
  private added(item: KnownItem, begun: () => JsonObject): JsonObject[] {
    if (item.addedBy) return [];
    item.addedBy = 'gateway';
    return [{ type: ITEM_ADDED, output_index: item.index, item: begun() }, ...item.held.splice(0)];
  }

  private done(item: KnownItem, event: JsonObject): JsonObject[] {
    item.isDone = true;
    if (!isJsonObject(event.item)) return [event];
    const whole = item.addedBy === 'server' ? event.item : { ...event.item, id: item.id };
    event.item = whole;
    return [...this.added(item, () => begunItem(whole)), event];
  }

  /** What is missing of the items of a whole response: clients take an item for theirs when they are told that it is done. */
  private finish(response: JsonObject): JsonObject[] {
    const ended = objectsOf(response.output).flatMap((whole, position) => {
      const { id } = whole;
      const known = (typeof id === 'string' && this.byId.get(id)) || this.byIndex.get(position);
      const item = known ?? this.newItem(position, id, newItemId('item'));
      // Some servers put another item in the place of one that they have begun.
      if (item.isDone || (item.type !== undefined && item.type !== whole.type)) return [];
      return this.done(item, { type: ITEM_DONE, output_index: item.index, item: { ...whole, id: item.id ?? id } });
    });
    const unnamed = [...this.byIndex.values()].filter(({ held }) => held.length > 0);
    return [...ended, ...unnamed.flatMap((item) => this.added(item, () => calledIn(item)))];
  }

  private withPart(type: string, event: JsonObject, item: KnownItem): JsonObject[] {
    const kind = PART_KINDS.find(({ of }) => of.test(type));
    if (!kind) return [event];
    const { added, index: member } = kind;
    const known = item[member];
    const given = event[member];
    const last = type === added ? known : Math.max(0, known - 1);
    const index = typeof given === 'number' ? given : last;
    event[member] = index;
    item[member] = Math.max(known, index + 1);
    if (type === added) return index < known ? [] : [event];
    if (index < known) return [event];
    const place = { item_id: event.item_id, output_index: event.output_index, [member]: index };
    return [{ type: added, ...place, part: partOfEvent(type, event) }, event];
  }

  /** @throws BadUpstream where that is more than any call has */
  private hold(item: KnownItem, event: JsonObject): JsonObject[] {
    this.heldCharacters += JSON.stringify(event).length;
    if (this.heldCharacters > MAX_HELD) throw new BadUpstream('The model server does not say which tool it calls.');
    item.held.push(event);
    return [];
  }

  /** The item that an event says it is of; else the last one, which may never have been announced. */
  private itemOf(type: string, event: JsonObject): KnownItem {
    const { output_index: index } = event;
    const id = isJsonObject(event.item) ? event.item.id : event.item_id;
    const placed = typeof index === 'number' ? this.byIndex.get(index) : undefined;
    const named = typeof id === 'string' ? this.byId.get(id) : undefined;
    if (type === ITEM_ADDED) {
      const known = placed ?? named;
      const isSame = known && (!known.addedBy || (typeof id === 'string' && known.id === id));
      return isSame ? known : this.newItem(index, id);
    }
    // An id that is new is another item's, unless the last one has none of its own.
    const isOther = typeof index === 'number' || (typeof id === 'string' && this.isNamed(this.current));
    return placed ?? named ?? (isOther ? undefined : this.current) ?? this.newItem(index, id, newItemId('item'));
  }

  private isNamed(item: KnownItem | undefined): boolean {
    return typeof item?.id === 'string' && this.byId.get(item.id) === item;
  }

  /** @param madeUp in place of an id, where the item has none */
  private newItem(given: unknown, id: unknown, madeUp?: string): KnownItem {
    const index = typeof given === 'number' ? given : this.count;
    this.count += 1;
    if (this.count > MAX_ITEMS) throw new BadUpstream('The model server begins too many items of a response.');
    const item = { index, id: id ?? madeUp, isDone: false, content_index: 0, summary_index: 0, held: [] };
    this.current = item;
    this.byIndex.set(index, item);
    if (typeof id === 'string' && id.length <= MAX_ID) this.byId.set(id, item);
    return item;
  }
}

/** A call of a tool of which nobody has said which one it is. */
function calledIn({ held, id }: KnownItem): JsonObject {
  const [first = {}] = held;
  return itemOfEvent(String(first.type), held.find(({ name }) => name !== undefined) ?? first, id);
}
