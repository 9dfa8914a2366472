import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Reply } from '../../src/admission/reply.js';
import type { PlatformError } from '../../src/errors.js';
import type { ReadableBlob } from '../../src/platform/blobs/readable-blob.js';
import { sendBytes } from '../../src/rest/send-bytes.js';

const BYTES = Buffer.from('0123456789');
const SHA256 = createHash('sha256').update(BYTES).digest('hex');

describe('a file that is sent', () => {
  let close: () => Promise<void>;
  afterEach(() => close());

  it('is one to be stored, with its type, name, length and hash', async () => {
    const url = await serve({ filename: 'über "x".pdf' });

    const response = await fetch(url);

    expect(await response.text()).toBe('0123456789');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': '10',
      'content-security-policy': 'sandbox',
      'content-type': 'application/pdf',
      etag: `"${SHA256}"`,
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="?ber \\"x\\".pdf"; filename*=UTF-8''%C3%BCber%20%22x%22.pdf`,
    );
  });

  it.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=5-99', '56789', 'bytes 5-9/10'],
    ['bytes=-10', '0123456789', 'bytes 0-9/10'],
    ['bytes=-99999999999999', '0123456789', 'bytes 0-9/10'],
  ])('has ranges: %s', async (range, text, contentRange) => {
    const url = await serve({});

    const response = await fetch(url, { headers: { range } });

    expect([response.status, await response.text()]).toEqual([206, text]);
    expect(response.headers.get('content-range')).toBe(contentRange);
  });

  it.each([
    ['several ranges', { range: 'bytes=0-1,4-5' }],
    ['another unit', { range: 'lines=0-1' }],
    ['no range', { range: 'bytes' }],
    ['a range that ends before it begins', { range: 'bytes=5-2' }],
    ['such a range behind its end', { range: 'bytes=20 - 15' }],
    ['such a range beside another', { range: 'bytes=0-1,5-2' }],
    ['a range of another version', { range: 'bytes=0-1', 'if-range': '"other"' }],
  ])('is sent whole for %s', async (_what, headers) => {
    const url = await serve({});

    const response = await fetch(url, { headers });

    expect([response.status, await response.text()]).toEqual([200, '0123456789']);
  });

  it.each(['bytes=10-', 'bytes=-0'])('has no range behind its end: %s', async (range) => {
    const url = await serve({});

    const response = await fetch(url, { headers: { range } });

    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */10']);
  });

  it('is not sent again to whoever has it', async () => {
    const url = await serve({});

    // fetch would ask for a new one all the same.
    const [response] = (await once(get(url, { headers: { 'if-none-match': `"${SHA256}"` } }), 'response')) as [
      IncomingMessage,
    ];

    expect(response.statusCode).toBe(304);
  });

  it('tells a HEAD its length, and opens nothing', async () => {
    const url = await serve({ open: () => Promise.reject(new Error('opened')) });

    const response = await fetch(url, { method: 'HEAD' });

    expect([response.status, response.headers.get('content-length')]).toEqual([200, '10']);
  });

  it('is not there where its bytes are gone', async () => {
    const url = await serve({ open: async () => undefined });

    expect((await fetch(url)).status).toBe(404);
  });

  it('has no end where it cannot be read to its end', async () => {
    const url = await serve({
      open: async () =>
        (async function* () {
          yield BYTES.subarray(0, 4);
          throw new Error('broken');
        })(),
    });

    const reading = fetch(url).then((response) => response.text());

    await expect(reading).rejects.toThrow();
  });

  it('may be made while it is sent', async () => {
    const url = await serve({ sizeBytes: undefined, sha256: undefined });

    const response = await fetch(url, { headers: { range: 'bytes=0-1' } });

    expect([response.status, await response.text()]).toEqual([200, '0123456789']);
    expect(response.headers.has('etag')).toBe(false);
  });

  async function serve(blob: { [Name in keyof ReadableBlob]?: ReadableBlob[Name] | undefined }): Promise<string> {
    const whole = {
      mediaType: 'application/pdf',
      filename: 'a.pdf',
      sizeBytes: BYTES.length,
      sha256: SHA256,
      open: async ({ start = 0, end = BYTES.length }) =>
        (async function* () {
          for (const byte of BYTES.subarray(start, end)) yield Buffer.from([byte]);
        })(),
      ...blob,
    } as ReadableBlob;
    const server = createServer((request, response) => {
      sendBytes(request, response, new Reply(), whole, new AbortController().signal).catch((error: PlatformError) =>
        response.writeHead(error.status, error.headers).end(),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    close = async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    };
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }
});
