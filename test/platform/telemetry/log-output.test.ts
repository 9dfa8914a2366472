import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogOutput } from '../../../src/platform/telemetry/log-output.js';

describe('the output of the log', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'log-output-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes every line in its order, and the last ones before it returns', async () => {
    const file = await open(join(folder, 'log'), 'w');
    const output = new LogOutput(file.fd);
    for (let line = 0; line < 1_000; line += 1) output.write(`line ${line}\n`);
    await output.drain();
    output.write('the last one\n');
    output.flushSync();
    await file.close();

    const lines = readFileSync(join(folder, 'log'), 'utf8').split('\n');
    expect(lines).toEqual([...Array.from({ length: 1_000 }, (_, line) => `line ${line}`), 'the last one', '']);
  });

  it('waits for nobody who does not read, keeps a bounded part of it, and says how much is lost', async () => {
    const { fd, reader } = await pipe('full');
    const output = new LogOutput(fd);
    for (let line = 0; line < 40_000; line += 1) output.write(`${line} ${'x'.repeat(1_000)}\n`);
    output.flushSync();
    for (let line = 0; line < 20_000; line += 1) output.write(`${line} ${'y'.repeat(1_000)}\n`);

    const read = text(reader);
    await output.drain();
    fds.get(fd)?.end();

    expect(await read).toMatch(/"msg":"\d+ log lines are lost: nobody has read them"\}\n$/);
  });

  it('gives up what a reader who is gone will not read', async () => {
    const { fd, reader } = await pipe('gone');
    const output = new LogOutput(fd);
    const hasGone = once(fds.get(fd) as Socket, 'close').catch(() => undefined);
    reader.destroy();

    output.write(`${'x'.repeat(10_000)}\n`);
    await output.drain();
    output.write('more\n');
    output.flushSync();
    await output.drain();

    expect(output.isWriting).toBe(false);
    fds.get(fd)?.destroy();
    await hasGone;
  });

  it('stops between two writes to a reader who does not keep up, so that a process can exit', async () => {
    const { fd, reader } = await pipe('slow');
    const output = new LogOutput(fd);
    output.write('x'.repeat(10_000_000));
    expect(output.isWriting).toBe(true);

    await output.stop();
    output.write('more'.repeat(10_000));

    expect(output.isWriting).toBe(false);
    reader.destroy();
    fds.get(fd)?.destroy();
  });

  const fds = new Map<number, Socket>();

  /** A socket whose other side reads when a test does. */
  async function pipe(name: string): Promise<{ fd: number; reader: Socket }> {
    const server = createServer({ pauseOnConnect: true }).listen(join(folder, name));
    await once(server, 'listening');
    const writer = connect(join(folder, name)).on('error', () => undefined);
    const [reader] = (await once(server, 'connection')) as [Socket];
    server.close();
    const { fd } = (writer as unknown as { _handle: { fd: number } })._handle;
    fds.set(fd, writer);
    return { fd, reader };
  }
});
