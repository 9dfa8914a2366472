import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { Reply } from '../../src/admission/reply.js';
import type { ReadableBlob } from '../../src/platform/blobs/readable-blob.js';
import { FileSender } from '../../src/rest/file-sender.js';
import { eventually } from '../support/probes/eventually.js';
import { silentLog } from '../support/probes/silent-log.js';

const TARGET = { kind: 'file', key: 'file_1', tenantId: 'ten_1', userId: 'usr_1' };
const looks = new EventEmitter();
let close: () => void = () => undefined;
afterEach(() => close());
/** Whose streams the last download has opened, and closed. */
let streams: { readonly opened: unknown[]; readonly closed: unknown[] };

it('sends a file no further when its user may not have it any more', async () => {
  let isAllowed = true;
  const response = await download(async () => (isAllowed ? ENDLESS : undefined));
  const reader = response.body?.getReader();

  const first = await reader?.read();
  isAllowed = false;
  const end = readToEnd(reader);

  expect(first?.value?.byteLength).toBeGreaterThan(0);
  await expect(end).rejects.toThrow();
});

it('goes on while nobody can tell whether its user may', async () => {
  let asked = 0;
  const response = await download(async () => {
    asked += 1;
    if (asked > 1 && asked < 4) throw new Error('The database is away.');
    return asked < 6 ? ENDLESS : undefined;
  });

  await expect(readToEnd(response.body?.getReader())).rejects.toThrow();

  expect(asked).toBe(6);
});

it.each([
  ['that is made while it is sent takes the place of a stream of its user', undefined, 1],
  ['whose length is known takes none', 4, 0],
])('a file %s', async (_what, sizeBytes, places) => {
  const text = { mediaType: 'text/plain', filename: 'a.txt', sizeBytes, open: async () => textBytes() };

  const response = await download(async () => text);

  expect(await response.text()).toBe('text');
  await eventually('its place is free', 5, () => streams.closed.length === places);
  expect(streams.opened).toEqual(places === 1 ? [{ tenantId: 'ten_1', userId: 'usr_1' }] : []);
});

const ENDLESS: ReadableBlob = {
  mediaType: 'text/plain',
  filename: 'endless.txt',
  open: async ({ signal }) => endless(signal),
};

/** A part each time when it was looked up whether the user may have it. */
async function* endless(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield Buffer.alloc(1_000);
    await once(looks, 'look', { signal });
  }
}

async function* textBytes(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from('text'));
}

async function download(find: () => Promise<ReadableBlob | undefined>): Promise<Response> {
  streams = { opened: [], closed: [] };
  const { opened, closed } = streams;
  const sender = new FileSender({
    links: { open: () => TARGET } as never,
    readers: new Map([['file', () => find().finally(() => looks.emit('look'))]]),
    permits: async () => true,
    log: silentLog,
  });
  const server = createServer((request, response) => {
    const { signal } = new AbortController();
    const openStream = async (owner?: object) => {
      opened.push(owner);
      return () => void closed.push(owner);
    };
    const admission = { openStream, record: () => undefined, complete: async () => undefined };
    void sender.send('/v1/blobs/sealed', { request, response, reply: new Reply(), signal, admission });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = () => void server.close().closeAllConnections();
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

async function readToEnd(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  for (let isDone = !reader; !isDone;) isDone = (await reader?.read())?.done ?? true;
}
