import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { PlatformError } from '../../src/errors.js';
import type { IncomingFile } from '../../src/platform/blobs/incoming-file.js';
import { MultipartUpload } from '../../src/rest/multipart-upload.js';

const BOUNDARY = 'a-boundary';

describe('the files of a multipart body', () => {
  let receiver: Receiver;
  afterEach(() => receiver.close());

  it('are received in their order, with the texts beside them', async () => {
    receiver = await startReceiver();
    const form = new FormData();
    form.append('file', new Blob(['one']), 'a.txt');
    form.append('metadata', '{"a":1}');
    form.append('file', new Blob([Buffer.alloc(300_000, 'x')]), 'b.txt');
    form.append('file', new Blob([]), 'empty.txt');

    const response = await receiver.send(form);

    expect(await response.json()).toEqual({
      files: [
        { filename: 'a.txt', size: 3, sha256: sha256('one') },
        { filename: 'b.txt', size: 300_000, sha256: sha256('x'.repeat(300_000)) },
        { filename: 'empty.txt', size: 0, sha256: sha256('') },
      ],
      fields: { metadata: '{"a":1}' },
    });
    expect(receiver.contents).toEqual([
      [
        ['metadata', '{"a":1}'],
        ['file', 'a.txt', sha256('one')],
        ['file', 'b.txt', sha256('x'.repeat(300_000))],
        ['file', 'empty.txt', sha256('')],
      ],
    ]);
  });

  it.each([
    ['no file', [], 'file is required'],
    ['a file of another name', [['image', 'x', 'a.txt']], 'no part image'],
    [
      'an unknown text',
      [
        ['color', 'red'],
        ['file', 'x', 'a.txt'],
      ],
      'no part color',
    ],
    [
      'a text twice',
      [
        ['metadata', '1'],
        ['metadata', '2'],
        ['file', 'x', 'a.txt'],
      ],
      'once only',
    ],
    [
      'a long text',
      [
        ['metadata', 'x'.repeat(65_537)],
        ['file', 'x', 'a.txt'],
      ],
      'at most 65536 bytes',
    ],
    ['many files', Array.from({ length: 21 }, () => ['file', 'x', 'a.txt']), 'at most 20 files'],
    ['many parts', Array.from({ length: 50 }, (_, at) => [`text${at}`, 'x']), 'no part text0'],
  ])('are refused where there is %s', async (_what, parts, message) => {
    receiver = await startReceiver();
    const form = new FormData();
    for (const [name = '', value = '', filename] of parts) {
      if (filename === undefined) form.append(name, value);
      else form.append(name, new Blob([value]), filename);
    }

    const response = await receiver.send(form);

    expect(response.status).toBe(400);
    expect(await response.text()).toContain(message);
    expect(receiver.contents).toEqual([]);
  });

  it.each([
    ['another type', 'application/json', '{}', 415],
    ['no boundary', 'multipart/form-data', '', 400],
    ['no parts', `multipart/form-data; boundary=${BOUNDARY}`, 'x', 400],
    ['half a part', `multipart/form-data; boundary=${BOUNDARY}`, part('file', 'a', 'half'), 400],
  ])('are refused in a body that has %s', async (_what, type, body, status) => {
    receiver = await startReceiver();

    const response = await fetch(receiver.url, { method: 'POST', headers: { 'content-type': type }, body });

    expect(response.status).toBe(status);
  });

  it.each([
    [`name="file"; filename="fallback.txt"; filename*=UTF-8''na%C3%AFve%20caf%C3%A9.txt`, 'naïve café.txt'],
    [`name="file"; filename*=UTF-8''na%C3%AFve.txt; filename="fallback.txt"`, 'naïve.txt'],
    [`filename*=utf-8'en'na%C3%AFve.txt; filename=fallback.txt; name=file`, 'naïve.txt'],
    [`name=file; filename="fallback.txt"; filename*=iso-8859-1''%A3%20rates.txt`, '£ rates.txt'],
    [`name="file"; filename*=UTF-8''only.txt`, 'only.txt'],
    [`name="file"; filename="plain.txt"; filename*=UTF-8''broken%ZZ.txt`, 'plain.txt'],
    [`name="file"; filename="größe; filename*=1.txt"`, 'größe; filename*=1.txt'],
    [`name="file"; filename="a %22quoted%22 name.txt"`, 'a "quoted" name.txt'],
    [`name="file"; filename="C:\\folder\\one.txt"`, 'one.txt'],
    [`name="file"; filename="../../one.txt"`, 'one.txt'],
    [`name="file"; filename=""`, ''],
  ])('are called as RFC 6266 says: %s', async (parameters, filename) => {
    receiver = await startReceiver();
    const head = `content-disposition: form-data; ${parameters}\r\ncontent-type: text/plain`;
    const body = `--${BOUNDARY}\r\n${head}\r\n\r\none\r\n${part('file', 'next.txt', 'two')}\r\n--${BOUNDARY}--\r\n`;
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

    const response = await fetch(receiver.url, { method: 'POST', headers, body });

    const { files } = (await response.json()) as { files: { filename: string }[] };
    expect(files.map((file) => file.filename)).toEqual([filename, 'next.txt']);
  });

  it('are not read on where one cannot be stored, and the client can read why', async () => {
    receiver = await startReceiver((file) => {
      if (file.filename === 'b.txt') throw new PlatformError(409, 'conflict_error', 'conflict', 'Full.');
    });
    const form = new FormData();
    for (const name of ['a.txt', 'b.txt', 'c.txt']) form.append('file', new Blob([Buffer.alloc(200_000)]), name);

    const response = await receiver.send(form);

    expect([response.status, await response.text()]).toEqual([409, 'Full.']);
    expect(receiver.stored).toEqual(['a.txt']);
  });

  it('end where the client leaves in the middle of one', async () => {
    receiver = await startReceiver();
    const socket = await receiver.connect();
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=${BOUNDARY}\r\n`);
    socket.write(`content-length: 1000000\r\n\r\n${part('file', 'a.txt', 'beginning')}`);
    await receiver.begun;

    socket.destroy();

    expect(await receiver.failed).toMatchObject({ status: 499 });
    expect(receiver.stored).toEqual([]);
  });

  it('end with the signal of the request', async () => {
    const ending = new AbortController();
    receiver = await startReceiver(undefined, ending.signal);
    const socket = await receiver.connect();
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=${BOUNDARY}\r\n`);
    socket.write(`content-length: 1000000\r\n\r\n${part('file', 'a.txt', 'beginning')}`);
    await receiver.begun;

    ending.abort(new Error('revoked'));

    expect(await receiver.failed).toMatchObject({ message: 'revoked' });
  });

  it('are read as fast as they are stored', async () => {
    const gate = Promise.withResolvers<void>();
    receiver = await startReceiver(() => gate.promise);
    const socket = await receiver.connect();
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=${BOUNDARY}\r\n`);
    const [head, end, size] = [part('file', 'a.txt', 'x'), `\r\n--${BOUNDARY}--\r\n`, 40 * 1024 * 1024];
    socket.write(`content-length: ${head.length + size + end.length}\r\n\r\n${head}`);
    await receiver.begun;
    socket.write(Buffer.alloc(size));
    socket.write(end);
    for (let turn = 0; turn < 500; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const readAhead = receiver.bytesRead();
    gate.resolve();
    await once(socket, 'data');

    expect(readAhead).toBeLessThan(1024 * 1024);
    expect(receiver.bytesRead()).toBeGreaterThan(size);
    expect(receiver.stored).toEqual(['a.txt']);
  });
});

interface Receiver {
  readonly url: string;
  /** What was told of each whole body. */
  readonly contents: unknown[];
  /** The files that were read to their ends. */
  readonly stored: string[];
  readonly begun: Promise<void>;
  readonly failed: Promise<unknown>;
  /** Of all bodies. */
  bytesRead(): number;
  send(form: FormData): Promise<Response>;
  connect(): Promise<Socket>;
  close(): Promise<void>;
}

/** @param admit looks at a file before it is read */
async function startReceiver(
  admit: (file: IncomingFile) => void | Promise<void> = () => undefined,
  signal = new AbortController().signal,
): Promise<Receiver> {
  const contents: unknown[] = [];
  const stored: string[] = [];
  const begun = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<unknown>();
  const store = async (file: IncomingFile) => {
    begun.resolve();
    await admit(file);
    const hash = createHash('sha256');
    let size = 0;
    for await (const bytes of file.bytes) {
      hash.update(bytes);
      size += bytes.length;
    }
    stored.push(file.filename);
    return { filename: file.filename, size, sha256: hash.digest('hex') };
  };
  let socket: Socket | undefined;
  const server: Server = createServer((request, response) => {
    socket = request.socket;
    const receive = async () => {
      const onReceived = async (content: readonly unknown[]) => void contents.push(content);
      const upload = new MultipartUpload(request, {
        parts: { fields: ['metadata'], most: 20, raw: [] },
        signal,
        onReceived,
      });
      const { files, fields } = await upload.receive(store);
      response.end(JSON.stringify({ files, fields: Object.fromEntries(fields) }));
    };
    receive().catch((error: unknown) => {
      failed.resolve(error);
      request.resume();
      response.writeHead(error instanceof PlatformError ? error.status : 500).end((error as Error).message);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    contents,
    stored,
    begun: begun.promise,
    failed: failed.promise,
    bytesRead: () => socket?.bytesRead ?? 0,
    send: (form) => fetch(url, { method: 'POST', body: form }),
    connect: async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The head of a part, and the beginning of what it holds. */
function part(name: string, filename: string, text: string): string {
  const head = `content-disposition: form-data; name="${name}"; filename="${filename}"`;
  return `--${BOUNDARY}\r\n${head}\r\ncontent-type: application/octet-stream\r\n\r\n${text}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
