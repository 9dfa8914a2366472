import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { AudioFile } from '../../speech/audio.types.js';
import type { ServerMessage } from './server-calls.js';

/** A name of a form and its value. */
export type FormField = readonly [name: string, value: string];

const CHUNK_BYTES = 256 * 1024;

/**
 * A form with a file (RFC 7578), which is read while it is sent: in memory there is a piece of it at a time. The file is
 * opened when the first byte is taken; one that has become shorter or longer breaks the request off.
 */
export function multipartBody(
  fields: readonly FormField[],
  file: AudioFile,
): Required<Pick<ServerMessage, 'body' | 'headers'>> {
  const boundary = `form-${randomBytes(16).toString('hex')}`;
  const parts = fields.map(([name, value]) => `${partHead(boundary, name)}\r\n\r\n${value}\r\n`);
  const fileHead = `${partHead(boundary, 'file')}; filename="${quoted(file.filename)}"\r\ncontent-type: ${headerValue(file.mediaType)}\r\n\r\n`;
  const head = Buffer.from(parts.join('') + fileHead);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    body: Readable.from(pieces(head, file, tail), { objectMode: false, highWaterMark: CHUNK_BYTES }),
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.sizeBytes + tail.length),
    },
  };
}

async function* pieces(head: Buffer, { path, sizeBytes }: AudioFile, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  if (sizeBytes > 0) yield* createReadStream(path, { end: sizeBytes - 1, highWaterMark: CHUNK_BYTES });
  yield tail;
}

function partHead(boundary: string, name: string): string {
  return `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"`;
}

/** As browsers write it (WHATWG HTML, multipart form data). */
function quoted(text: string): string {
  return text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}

function headerValue(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '');
}
