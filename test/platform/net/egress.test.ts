import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Origin } from '../../../src/platform/net/egress.js';
import type { OriginOptions } from '../../../src/platform/net/egress.js';
import { hanging, json, silence, startScriptedBackend, stream } from '../../support/servers/scripted-backend.js';
import type { Piece, ScriptedBackend } from '../../support/servers/scripted-backend.js';

const GONE = new Error('the caller is gone');

describe('an exchange with an origin', () => {
  let backend: ScriptedBackend;
  let origin: Origin;
  let controller: AbortController;
  let ended: number;

  beforeEach(async () => {
    backend = await startScriptedBackend();
    [origin, controller, ended] = [open(backend.url), new AbortController(), 0];
  });
  afterEach(() => Promise.all([origin.close(), backend.close()]));

  it('sends the body and the static headers, and gives the answer', async () => {
    backend.answer(json(201, { ok: true }, { 'x-answer': '1' }));

    const response = await post('/chat/completions', { grüße: '😀' });

    expect([response.status, response.headers['x-answer'], (await response.body.readAll()).toString()]).toEqual([
      201,
      '1',
      '{"ok":true}',
    ]);
    expect(backend.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      body: { grüße: '😀' },
      headers: { 'x-static': 'yes', 'content-type': 'application/json' },
    });
    expect(ended).toBe(1);
  });

  it('uses a connection again after an answer was read, and after its rest was released', async () => {
    backend.answer(json(200, {}), stream('data: [DONE]\n\n'), json(200, {}));
    await (await post()).body.readAll();
    await turns(5);
    const second = await post();
    await second.body.next();
    second.body.release();
    while (ended < 2) await turns(1);
    await turns(5);
    await (await post()).body.readAll();

    const ports = backend.requests.map(({ port }) => port);

    expect(new Set(ports).size).toBe(1);
    expect(ended).toBe(3);
  });

  it('closes a released connection whose answer does not end', async () => {
    backend.answer(hanging('data: [DONE]\n\n'));
    const { body } = await post();
    await body.next();

    body.release();

    await backend.requests[0]?.gone;
    expect(ended).toBe(1);
  });

  it('is aborted while it connects', async () => {
    const mute = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    await origin.close();
    origin = open(`https://127.0.0.1:${(mute.address() as AddressInfo).port}/v1`);
    const pending = post();
    const [socket] = (await once(mute, 'connection')) as [Socket];

    const turnsTaken = await turnsUntilAborted(pending);

    socket.destroy();
    mute.close();
    expect(turnsTaken).toBeLessThan(20);
    expect(ended).toBe(1);
  });

  it('is aborted while it waits for a connection', async () => {
    await origin.close();
    origin = open(backend.url, { maxConnections: 1 });
    backend.answer(hanging('a'));
    const first = await origin.request({
      method: 'POST',
      path: '/x',
      body: '{}',
      signal: new AbortController().signal,
    });
    const pending = post();

    expect(await turnsUntilAborted(pending)).toBeLessThan(20);
    first.body.cancel();
    expect(ended).toBe(1);
  });

  it('is aborted while it waits for the answer, which closes the connection', async () => {
    backend.answer(silence());
    const pending = post();
    const { gone } = await backend.nextRequest();

    expect(await turnsUntilAborted(pending)).toBeLessThan(20);
    await gone;
    expect(ended).toBe(1);
  });

  it('is aborted within the body, which closes the connection', async () => {
    backend.answer(hanging('data: {}\n\n'));
    const { body } = await post();
    await body.next();

    expect(await turnsUntilAborted(body.next())).toBeLessThan(20);
    await backend.requests[0]?.gone;
    expect(ended).toBe(1);
  });

  it('is not even begun where it was aborted before', async () => {
    controller.abort(GONE);

    await expect(post()).rejects.toBe(GONE);
    expect(backend.requests).toHaveLength(0);
    expect(ended).toBe(1);
  });

  it('slows the sender down to the pace of the reader', async () => {
    const block = Buffer.alloc(256 * 1024, 'x');
    const BLOCKS = 160;
    let sent = 0;
    function* pieces(): Generator<Piece> {
      for (let index = 0; index < BLOCKS; index += 1) {
        sent = index;
        yield block;
      }
    }
    backend.answer({ pieces: pieces() });
    const { body } = await post();
    const first = await body.next();
    let before = -1;
    // The sender has stopped when it gets no further in many turns of the event loop.
    while (before !== sent) {
      before = sent;
      await turns(200);
    }

    const whenPaused = sent;
    const rest = await body.readAll();

    expect(whenPaused).toBeLessThan(BLOCKS / 2);
    expect(first?.length ?? 0).toBeLessThan(1024 * 1024);
    expect((first?.length ?? 0) + rest.length).toBe(BLOCKS * block.length);
  });

  it('refuses to read more than 64 MiB as a whole', async () => {
    const block = Buffer.alloc(1024 * 1024, 'x');
    // More than what is left could lie in the network's buffers, and the server would be done before it is cut off.
    backend.answer({ pieces: Array.from({ length: 200 }, () => block) });
    const { body } = await post();

    await expect(body.readAll()).rejects.toMatchObject({ status: 502 });
    await backend.requests[0]?.gone;
  });

  it('says 502 where nobody listens or the answer breaks off, without an address', async () => {
    const port = backend.port;
    await backend.close();
    const refused = post();
    await expect(refused).rejects.toMatchObject({ status: 502, message: expect.not.stringContaining(String(port)) });

    backend = await startScriptedBackend();
    await origin.close();
    origin = open(backend.url);
    backend.answer({ ...json(200, { a: 1 }), ending: 'cut' });
    const { body } = await post();
    await expect(body.readAll()).rejects.toMatchObject({ status: 502 });
  });

  it('says 504 where the answer does not begin in time', async () => {
    await origin.close();
    origin = open(backend.url, { timeoutSeconds: 0.5 });
    backend.answer(silence());

    await expect(post()).rejects.toMatchObject({ status: 504, code: 'upstream_timeout' });
  });

  it('reads an answer that came while this process was held up longer than that, before it is called late', async () => {
    const arrived = new Int32Array(new SharedArrayBuffer(4));
    const server = new Worker(ANSWERING_SERVER, { eval: true, workerData: arrived });
    const [port] = await once(server, 'message');
    await origin.close();
    origin = open(`http://127.0.0.1:${port}`, { timeoutSeconds: 0.5 });

    const answer = post();
    while (Atomics.load(arrived, 0) === 0) await turns(1);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);

    expect((await (await answer).body.readAll()).toString()).toBe('{}');
    await server.terminate();
  });

  function open(baseUrl: string, options: Partial<OriginOptions> = {}): Origin {
    return new Origin({ baseUrl, headers: { 'x-static': 'yes' }, maxConnections: 4, timeoutSeconds: 30, ...options });
  }

  function post(path = '/chat/completions', body: object = {}) {
    const { signal } = controller;
    return origin.request({ method: 'POST', path, body: JSON.stringify(body), signal, ended: () => (ended += 1) });
  }

  /** Aborts. @returns how many turns of the event loop it takes until the promise is rejected for that reason */
  async function turnsUntilAborted(promise: Promise<unknown>): Promise<number> {
    let isOver = false;
    const over = promise.catch(() => undefined).then(() => (isOver = true));
    let count = 0;
    controller.abort(GONE);
    for (; !isOver; count += 1) await turns(1);
    await over;
    await expect(promise).rejects.toBe(GONE);
    return count;
  }
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Says its port, and in its shared number that a request has arrived, which it answers at once. */
const ANSWERING_SERVER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:http').createServer((request, response) => {
    Atomics.store(workerData, 0, 1);
    request.resume().on('end', () => response.end('{}'));
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
