import { TEXT_JSON } from '../streaming/json-limits.js';
import { dataOf, parseChunk } from '../streaming/event-frames.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** A named event as it goes over the wire. */
export function toNamedFrame(event: JsonObject): Buffer {
  return Buffer.from(`event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** The event of a frame, with its `type` also where only the `event:` line names it; undefined where it is none. */
export function namedEventOf(frame: Buffer): JsonObject | undefined {
  // Its last events repeat the whole answer.
  const event = parseChunk(dataOf(frame) ?? '', TEXT_JSON);
  if (!event || typeof event.type === 'string') return event;
  const [, name] = /^event: ?(.*)$/m.exec(frame.toString('utf8')) ?? [];
  return name === undefined ? event : { ...event, type: name.trim() };
}

/** Whether a frame looks like `event: name`, `data: {…}` and a blank line, and names no error, so that it can pass unread. */
export function isPassThroughNamedFrame(bytes: Buffer, start: number, end: number): boolean {
  return (
    bytes.toString('latin1', start, start + 16) === 'event: response.' &&
    bytes.toString('latin1', end - 3, end) === '}\n\n'
  );
}
