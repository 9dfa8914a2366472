import { BadRequest } from '../../errors.js';

/** The header that says which bytes a body has (RFC 9110, Content-Range). */
export const CONTENT_RANGE = 'content-range';
const PIECE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i;
const END = /^bytes \*\/(\d{1,15}|\*)$/i;

/**
 * What a request says of the audio that it sends. `whole`: all of it; `piece`: the bytes from `start` up to but not
 * including `end`; `end`: nothing, all of it is there; `ask`: nothing, how much is there?
 */
export type UploadRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'piece'; readonly start: number; readonly end: number; readonly total: number | undefined }
  | { readonly kind: 'end'; readonly total: number }
  | { readonly kind: 'ask' };

/**
 * Reads a header such as `bytes 0-1023/4096`, or with `*` as the length that is not known yet; `bytes *` with a length
 * ends an upload, and with a second `*` asks for how much there is.
 * @throws BadRequest for what is none of these, or contradicts itself
 */
export function parseUploadRange(header: string | null | undefined): UploadRange {
  if (header === null || header === undefined) return { kind: 'whole' };
  const [, length] = END.exec(header.trim()) ?? [];
  if (length !== undefined) return length === '*' ? { kind: 'ask' } : { kind: 'end', total: Number(length) };
  const [, first, last, size] = PIECE.exec(header.trim()) ?? [];
  if (first === undefined || last === undefined) throw malformed('must be like bytes 0-1023/4096.');
  const [start, end] = [Number(first), Number(last) + 1];
  const total = size === '*' ? undefined : Number(size);
  if (end <= start) throw malformed('ends before it begins.');
  if (total !== undefined && end > total) throw malformed('ends behind the end of the audio.');
  return { kind: 'piece', start, end, total };
}

function malformed(what: string): BadRequest {
  return new BadRequest(`${CONTENT_RANGE} ${what}`, CONTENT_RANGE);
}
