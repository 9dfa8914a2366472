import { BadUpstream } from '../../errors.js';
import type { PlatformError } from '../../errors.js';
import type { MeteredUsage, Outcome } from '../../metering/metering.types.js';
import { END_MARK } from '../../graph/data-batches.js';
import { dataOf, endOfFrame, relayFrames } from '../streaming/event-frames.js';
import { findMember, memberName } from '../../platform/json/json-member.js';
import type { FrameReader } from '../streaming/event-frames.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { NamedStreamParser, ToPublic } from './named-stream-parser.js';
import { ResponseEventCompletion } from './response-event-completion.js';
import { isPassThroughNamedFrame, namedEventOf, toNamedFrame } from './response-frames.js';
import { outcomeOf } from './response-shape.js';
import { errorOfEvent } from '../backends/openai/upstream-errors.js';
import { toMeteredUsage } from '../calls/usage.js';

// "response" from its p on.
const RESPONSE = memberName('response', 4);
const LAST_EVENT = /^response\.(completed|incomplete|failed|cancelled)$/;
const END = Buffer.from('data: [DONE]');
const LINE_FEED = 0x0a;
/** Characters; a shorter text may also be a word of the model. */
const SHORTEST_ID = 12;
const NAME_BEGIN = 'event: '.length;
/** With their quotes, which texts have escaped. */
const MEMBERS = {
  sequence_number: Buffer.from('"sequence_number"'),
  output_index: Buffer.from('"output_index"'),
  content_index: Buffer.from('"content_index"'),
  summary_index: Buffer.from('"summary_index"'),
};
const ITEM_ID = Buffer.from('"item_id"');
const [SPACE, COLON, ZERO, NINE] = [0x20, 0x3a, 0x30, 0x39];

/**
 * Reads the named events of an upstream's own responses stream. The last event is held back; the others go out as they
 * came, but for those that hold the response or its id, and for those that lack what clients gather them by.
 */
export class ResponseStreamParser implements NamedStreamParser, FrameReader {
  ending: 'whole' | PlatformError | undefined;
  outcome: Outcome = 'completed';
  usage: MeteredUsage | null = null;
  endMark: Buffer = Buffer.alloc(0);
  private readonly completion = new ResponseEventCompletion();
  private lastEvent: JsonObject | undefined;
  private upstreamId: string | undefined;

  /** @param publicId takes the place of the upstream's id */
  constructor(
    private readonly publicId: string,
    private readonly toPublic: ToPublic,
  ) {}

  get nextNumber(): number {
    return (this.lastEvent?.sequence_number as number | undefined) ?? this.completion.sequence;
  }

  onFirstChunk({ response }: JsonObject): void {
    if (isJsonObject(response) && typeof response.id === 'string') this.upstreamId = response.id;
  }

  relay(block: Buffer): Buffer {
    const relayed = relayFrames(block, this);
    this.lookForEndMark(block);
    return relayed;
  }

  parse(block: Buffer): JsonObject[] {
    const events: JsonObject[] = [];
    for (let start = 0, end = 0; start < block.length && !this.ending; start = end) {
      end = endOfFrame(block, start);
      events.push(...this.read(block.subarray(start, end)));
    }
    this.lookForEndMark(block);
    return events;
  }

  buildLastEvent(usage: MeteredUsage): JsonObject {
    const { response, ...event } = this.lastEvent ?? {};
    return { ...event, response: this.toPublic(response as JsonObject, usage) };
  }

  nextMatch(block: Buffer, from: number): number {
    const id = this.upstreamId === undefined ? -1 : block.indexOf(this.upstreamId, from);
    return Math.min(id < 0 ? Number.POSITIVE_INFINITY : id, findMember(block, RESPONSE, from));
  }

  isPassThrough(block: Buffer, start: number, end: number): boolean {
    if (!this.completion.begun || !isPassThroughNamedFrame(block, start, end)) return false;
    const type = block.toString('latin1', start + NAME_BEGIN, block.indexOf(LINE_FEED, start)).trimEnd();
    const frame = block.subarray(start, end);
    const numberOf = (member: keyof typeof MEMBERS): number | undefined => numberAfter(frame, MEMBERS[member]);
    return this.completion.isComplete(type, { numberOf, hasItemId: frame.includes(ITEM_ID) });
  }

  onPassThrough(): void {
    this.completion.onPassThrough();
  }

  rewrite(frame: Buffer): Buffer | undefined {
    const events = this.read(frame);
    return events.length === 0 ? undefined : Buffer.concat(events.map(toNamedFrame));
  }

  /** The events that a frame becomes; none where it has no event, or ends the answer. */
  private read(frame: Buffer): JsonObject[] {
    const data = dataOf(frame)?.trim();
    if (!data || data === '[DONE]') return [];
    const event = this.eventOf(frame);
    if (!event) {
      this.ending = new BadUpstream('The model server sent an event that makes no sense.');
      return [];
    }
    if (event.type === 'error' || typeof event.type !== 'string') {
      this.ending = errorOfEvent(event.error ?? event);
      return [];
    }
    const [, status] = LAST_EVENT.exec(event.type) ?? [];
    if (status !== undefined && !isJsonObject(event.response)) {
      this.ending = new BadUpstream('The model server ended its answer without a response.');
      return [];
    }
    const events = this.completion.complete(event);
    if (status !== undefined) this.hold(events.pop() as JsonObject, status);
    return events.map((entry) =>
      isJsonObject(entry.response) ? { ...entry, response: this.toPublic(entry.response) } : entry,
    );
  }

  /** @param status of the response, as the name of its last event tells it */
  private hold(event: JsonObject, status: string): void {
    const response = event.response as JsonObject;
    this.lastEvent = { ...event, response: { ...response, status } };
    this.outcome = outcomeOf(status);
    this.usage = toMeteredUsage(response.usage);
    this.ending = 'whole';
  }

  /** A response gets its public id with the rest. */
  private eventOf(frame: Buffer): JsonObject | undefined {
    const event = namedEventOf(frame);
    const { upstreamId } = this;
    if (isJsonObject(event?.response) || upstreamId === undefined || !frame.includes(upstreamId)) return event;
    return event && (this.withPublicId(event) as JsonObject);
  }

  /** The id wherever a member is just that; one as short as a word, only where the name of the member says id. */
  private withPublicId(value: unknown, name = ''): unknown {
    const { upstreamId = '' } = this;
    const isId = upstreamId.length >= SHORTEST_ID || /(^|_)id$/.test(name);
    if (value === upstreamId && isId) return this.publicId;
    if (Array.isArray(value)) return value.map((entry) => this.withPublicId(entry, name));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.withPublicId(member, key)]));
  }

  private lookForEndMark(block: Buffer): void {
    if (this.ending === 'whole' && block.includes(END, block.lastIndexOf('\n\n', -3))) this.endMark = END_MARK;
  }
}

/** The number that is the value of a member; undefined where there is none. @param name with its quotes */
function numberAfter(frame: Buffer, name: Buffer): number | undefined {
  const found = frame.indexOf(name);
  if (found < 0) return undefined;
  let at = found + name.length;
  while (frame[at] === SPACE || frame[at] === COLON) at += 1;
  let value: number | undefined;
  for (let digit = frame[at] ?? 0; digit >= ZERO && digit <= NINE; digit = frame[at] ?? 0) {
    value = (value ?? 0) * 10 + digit - ZERO;
    at += 1;
  }
  return value;
}
