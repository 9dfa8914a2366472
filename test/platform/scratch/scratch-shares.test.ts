import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { DiskSpace } from '../../../src/platform/scratch/disk-space.js';
import { Scratch } from '../../../src/platform/scratch/scratch.js';
import { eventually } from '../../support/probes/eventually.js';
import type { ScratchFolder } from '../../../src/platform/scratch/scratch-folder.js';

describe('files in progress', () => {
  let dataDir: string;
  let scratch: Scratch;
  const folders: ScratchFolder[] = [];
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'shares-'));
    scratch = await openScratch();
  });
  afterEach(async () => {
    for (const folder of folders.splice(0)) await folder[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true });
  });

  it('take a quarter of the disk for a user, half of it for a tenant, and no more than all', async () => {
    for (const user of ['a', 'b', 'c', 'd']) await hold(user < 'c' ? 'one' : 'two', user, 100);

    await expect(hold('one', 'a', 1)).rejects.toMatchObject({ status: 429, message: /of yours/ });
    await expect(hold('one', 'e', 1)).rejects.toMatchObject({ status: 429, message: /of your organization/ });
    await expect(hold('three', 'f', 1)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
    expect(heldBytes()).toBe(400);
  });

  it('of one piece of work that alone need more than a user may have are too large', async () => {
    await expect(hold('one', 'a', 101)).rejects.toMatchObject({ status: 413 });
    expect(heldBytes()).toBe(0);
  });

  it('give back what they took, however the work has ended, and once', async () => {
    const folder = await hold('one', 'a', 50);
    const gone = new AbortController();
    const silent = folder.write('silent', endless(), { expectedBytes: 40, signal: gone.signal });
    await eventually('it has begun', 5, () => statSync(join(folder.path, 'silent')).size === 1);
    gone.abort(new Error('gone'));
    await expect(silent).rejects.toThrow('gone');
    await folder[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
    await expect(folder.reserve(1)).rejects.toThrow('is over');

    const other = await hold('one', 'a', 0);
    const { signal } = new AbortController();
    await other.write('file', Readable.from([Buffer.alloc(60)]), { expectedBytes: 100, signal });
    expect(heldBytes()).toBe(60);
    await other[Symbol.asyncDispose]();
    expect(heldBytes()).toBe(0);
  });

  it('give back what they took also where they cannot be deleted', async () => {
    const folder = await hold('one', 'a', 50);
    folders.length = 0;
    rmSync(scratch.root, { recursive: true });
    writeFileSync(scratch.root, 'no folder any more');

    await expect(folder[Symbol.asyncDispose]()).rejects.toMatchObject({ code: 'ENOTDIR' });

    expect(heldBytes()).toBe(0);
  });

  it('leave the reserve of the disk free', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    scratch = await openScratch(new DiskSpace(Number.MAX_SAFE_INTEGER, log));

    await expect(hold('one', 'a', 1)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '30' } });
    await expect(hold('one', 'a', 1)).rejects.toMatchObject({ status: 503 });

    expect(lines).toEqual([expect.stringContaining('DISK_RESERVE_BYTES')]);
    expect(heldBytes()).toBe(0);
  });

  function openScratch(disk = new DiskSpace(0, pino({ level: 'silent' }))): Promise<Scratch> {
    const lease = { id: crypto.randomUUID(), listAlive: () => Promise.resolve([]) };
    return Scratch.open({ config: { dataDir, scratchBytes: 400 }, lease, disk });
  }

  async function hold(tenantId: string, userId: string, bytes: number): Promise<ScratchFolder> {
    const folder = await scratch.folderFor({ tenantId, userId });
    folders.push(folder);
    await folder.reserve(bytes);
    return folder;
  }

  function heldBytes(): number | undefined {
    return scratch.gauge.read()[0]?.value;
  }
});

/** A client that sends a byte and hangs. */
async function* endless(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(1);
  await new Promise(() => undefined);
}
