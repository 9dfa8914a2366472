import { BadUpstream } from '../../errors.js';
import type { PlatformError } from '../../errors.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import { dataOf, END_MARK, endOfFrame, findMember, memberName, relayFrames } from '../streams/event-frames.js';
import type { FrameReader } from '../streams/event-frames.js';
import { isJsonObject } from '../json.types.js';
import type { JsonObject } from '../json.types.js';
import type { NamedEvents, ToPublic } from './response-dialect.js';
import { ResponseEventCompletion } from './response-event-completion.js';
import { isPlainNamedFrame, namedEventOf, toNamedFrame } from './response-frames.js';
import { errorOfEvent } from '../backends/upstream-errors.js';
import { toMeteredUsage } from '../usage.types.js';

// "response" from its p on.
const RESPONSE = memberName('response', 4);
const LAST_EVENTS = new Set(['response.completed', 'response.incomplete', 'response.failed']);
const END = Buffer.from('data: [DONE]');

/**
 * Reads the named events of an upstream's own responses stream. The last event is held back; the others go out as they
 * came, but for those that hold the response or its id, and for a stream that leaves out what clients need.
 */
export class ResponseEvents implements NamedEvents, FrameReader {
  ending: 'whole' | PlatformError | undefined;
  usage: MeteredUsage | null = null;
  endMark: Buffer = Buffer.alloc(0);
  private readonly completion = new ResponseEventCompletion();
  private isComplete = false;
  private lastEvent: JsonObject | undefined;
  private upstreamId: string | undefined;

  /** @param publicId takes the place of the upstream's id */
  constructor(
    private readonly publicId: string,
    private readonly toPublic: ToPublic,
  ) {}

  meet(first: JsonObject): void {
    const { type, sequence_number: sequence, response } = first;
    this.isComplete =
      type === 'response.created' &&
      typeof sequence === 'number' &&
      isJsonObject(response) &&
      Array.isArray(response.output);
    if (isJsonObject(response) && typeof response.id === 'string') this.upstreamId = response.id;
  }

  relay(block: Buffer): Buffer {
    if (!this.isComplete) return Buffer.concat(this.parse(block).map(toNamedFrame));
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

  last(usage: MeteredUsage): JsonObject {
    const { response, ...event } = this.lastEvent ?? {};
    return { ...event, response: this.toPublic(response as JsonObject, usage) };
  }

  nextConcern(block: Buffer, from: number): number {
    const id = this.upstreamId === undefined ? -1 : block.indexOf(this.upstreamId, from);
    return Math.min(id < 0 ? Number.POSITIVE_INFINITY : id, findMember(block, RESPONSE, from));
  }

  isPlain(block: Buffer, start: number, end: number): boolean {
    return isPlainNamedFrame(block, start, end);
  }

  replace(frame: Buffer): Buffer | undefined {
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
    const events = this.completion.complete(event);
    if (LAST_EVENTS.has(event.type)) this.hold(events.pop() as JsonObject);
    return events.map((entry) =>
      isJsonObject(entry.response) ? { ...entry, response: this.toPublic(entry.response) } : entry,
    );
  }

  private hold(event: JsonObject): void {
    if (!isJsonObject(event.response)) {
      this.ending = new BadUpstream('The model server ended its answer without a response.');
      return;
    }
    this.lastEvent = event;
    this.usage = toMeteredUsage(event.response.usage);
    this.ending = 'whole';
  }

  /** A response gets its public id with the rest; elsewhere the id is a text like others. */
  private eventOf(frame: Buffer): JsonObject | undefined {
    const event = namedEventOf(frame);
    const { upstreamId } = this;
    if (isJsonObject(event?.response) || upstreamId === undefined || !frame.includes(upstreamId)) return event;
    return namedEventOf(Buffer.from(frame.toString('utf8').replaceAll(upstreamId, this.publicId)));
  }

  private lookForEndMark(block: Buffer): void {
    if (this.ending === 'whole' && block.includes(END, block.lastIndexOf('\n\n', -3))) this.endMark = END_MARK;
  }
}
