import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';

/** What is counted of media. */
export interface MediaContent {
  /** Texts that stand where media do. */
  readonly texts: string[];
  /** Images, sounds and the like, as parts of messages. */
  mediaParts: number;
  /** The length of what is base64 of these. */
  mediaBytes: number;
}

/** Members of a part that stand for what a model sees or hears, or that its server fetches. */
const MEDIA = new Set(['image_url', 'input_audio', 'audio_url', 'video_url', 'file_id', 'file_url']);
/** Those that may hold base64, with the member that holds it and the types of the parts that they stand in. */
const ENCODED: ReadonlyMap<string, { readonly member: string; readonly types: readonly unknown[] }> = new Map([
  ['image_url', { member: 'url', types: [undefined, 'image_url', 'input_image'] }],
  ['input_audio', { member: 'data', types: [undefined, 'input_audio'] }],
]);
const DATA_URL = /^data:(?:image|audio)\/[\w.+-]{1,64};base64,/i;
/** Where base64 ends: searched for so, megabytes take one pass. */
const NOT_BASE64 = /[^A-Za-z0-9+/]/;

/** Whether a member of a part is an image, a sound or the like. A message has none beside its content. */
export function isMedia(part: JsonObject, name: string): boolean {
  return MEDIA.has(name) && part.role === undefined && part[name] !== null;
}

/**
 * The member of a medium of a part that holds it as base64; empty where the medium itself is that; undefined where it is
 * given by an address.
 */
export function payloadMember(part: JsonObject, name: string): string | undefined {
  if (payloadIn(part, name) === '') return undefined;
  return isJsonObject(part[name]) ? memberOf(name) : '';
}

/** Counts a medium: what really is base64 of an image or a sound by its length, everything else of it as text. */
export function addMedia(content: MediaContent, part: JsonObject, name: string): void {
  const value = part[name];
  const payload = payloadIn(part, name);
  content.mediaParts += 1;
  content.mediaBytes += payload.length;
  const rest = payload === '' ? value : isJsonObject(value) ? { ...value, [memberOf(name)]: '' } : '';
  if (rest !== '') content.texts.push(typeof rest === 'string' ? rest : JSON.stringify(rest));
}

/** The member of a medium that holds its base64. */
function memberOf(name: string): string {
  return ENCODED.get(name)?.member ?? '';
}

/** What is base64 of a medium of a part. */
function payloadIn(part: JsonObject, name: string): string {
  const value = part[name];
  const given = isJsonObject(value) && Object.hasOwn(value, memberOf(name)) ? value[memberOf(name)] : value;
  const types = ENCODED.get(name)?.types ?? [];
  return types.includes(part.type) ? payloadOf(given, name) : '';
}

/** The base64 of an image or a sound; empty where it is anything else. */
function payloadOf(given: unknown, name: string): string {
  if (typeof given !== 'string') return '';
  const head = DATA_URL.exec(given.slice(0, 128))?.[0];
  if (head === undefined && name !== 'input_audio') return '';
  const payload = head === undefined ? given : given.slice(head.length);
  const end = payload.search(NOT_BASE64);
  return end < 0 || /^={1,2}$/.test(payload.slice(end, end + 3)) ? payload : '';
}
