import type { Json } from './openapi-portable.js';

/** A file, of whatever type it is. */
const FILE = {
  schema: { type: 'string', contentMediaType: 'application/octet-stream' },
  examples: { file: { value: 'Lunch is at noon.' } },
};
const LINES = { schema: { type: 'string' }, examples: { text: { value: 'Lunch is at noon.' } } };
const TEXT = /^text\/|^application\/x-subrip$/;

/** What answers are that are sent as bytes, and are no files. */
export interface WrittenContents {
  /** Of JSON. */
  answer(): Json;
  /** Of the data of an event. */
  event(): Json;
}

/**
 * What an answer of bytes has, by its media types. Where all of them are texts there is no other.
 * @param types none: a file of whatever type
 */
export function fileContent(types: readonly string[], contents: WrittenContents): Json {
  const known = types.map((type) => [type, contentOf(type, contents)] as const);
  const isWritten = known.length > 0 && known.every(([, content]) => content !== FILE);
  return { ...(isWritten ? {} : { 'application/octet-stream': FILE }), ...Object.fromEntries(known) };
}

function contentOf(type: string, { answer, event }: WrittenContents): Json {
  if (type === 'application/json') return answer();
  if (type === 'text/event-stream') return event();
  return TEXT.test(type) ? LINES : FILE;
}
