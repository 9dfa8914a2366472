import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, link, mkdir, open, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { openDataFolder } from '../database/data-folder.js';
import { isId } from '../ids.js';
import { systemCode } from '../operational-error.js';
import type { DiskSpace } from '../scratch/disk-space.js';
import type { BlobStore, OpenedBytes, StoredBytes, WriteLimits } from './blob.types.js';

/** The folder of all bytes in a data folder. */
export const BLOBS = 'blobs';
/** The file that says which folder this is: a process with another data folder has none of its bytes. */
const MARKER = 'folder.id';
/** What a process that was killed while it made the marker has left is deleted after so long. */
const MARKER_DRAFT = `${MARKER}.`;
const MARKER_DRAFT_MS = 3_600_000;
const DRAFT = '.part';
const READ_BYTES = 256 * 1024;
const BATCH = 1_000;

/**
 * Bytes in the data folder: `blobs/<root>/<x>/<y>/<key>`, where x and y are the last characters of the key, which are
 * random. A file has its name when it is whole and on the disk; before that it ends in `.part`.
 */
export class FolderStore implements BlobStore {
  constructor(
    private readonly dataDir: string,
    private readonly root: () => Promise<string>,
    private readonly disk: Pick<DiskSpace, 'admit' | 'claim'>,
  ) {}

  async id(): Promise<string | undefined> {
    // Read each time: a volume that is not mounted any more has none.
    return readFile(join(await this.folder(), MARKER), 'utf8').catch(unlessMissing);
  }

  async prepare(): Promise<string> {
    const found = await this.id();
    if (found !== undefined) return found;
    await openDataFolder(this.dataDir);
    const folder = await this.folder();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, `${MARKER_DRAFT}${randomUUID()}`);
    try {
      await writeFile(draft, randomUUID(), { flag: 'wx', mode: 0o600, flush: true });
      // Another process may be first, and is not overwritten.
      await link(draft, join(folder, MARKER)).catch((error: unknown) => {
        if (systemCode(error) !== 'EEXIST') throw error;
      });
    } finally {
      await rm(draft, { force: true });
    }
    for (const path of [folder, dirname(folder), this.dataDir]) await syncFolder(path);
    return (await this.id()) as string;
  }

  async write(key: string, bytes: AsyncIterable<Uint8Array>, { expectedBytes }: WriteLimits): Promise<void> {
    const path = await this.pathOf(key);
    await makeFolder(dirname(path));
    const file = await open(path + DRAFT, 'wx', 0o600);
    try {
      await file.writeFile(this.disk.admit(dirname(path), bytes, expectedBytes));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path + DRAFT, path);
    await syncFolder(dirname(path));
  }

  async open(key: string, { start, end, sizeBytes }: OpenedBytes, signal: AbortSignal): Promise<Readable | undefined> {
    const file = await open(await this.pathOf(key), 'r').catch(unlessMissing);
    if (!file) return undefined;
    try {
      if ((await file.stat()).size === sizeBytes) {
        return file.createReadStream({ start, end: end - 1, signal, highWaterMark: READ_BYTES });
      }
    } catch (error) {
      await file.close();
      throw error;
    }
    await file.close();
    return undefined;
  }

  async delete(key: string): Promise<void> {
    const path = await this.pathOf(key);
    await rm(path + DRAFT, { force: true });
    await rm(path, { force: true });
  }

  async *list(): AsyncGenerator<readonly StoredBytes[]> {
    const folder = await this.folder();
    let batch: StoredBytes[] = [];
    for await (const first of namesIn(folder)) {
      if (first.startsWith(MARKER_DRAFT)) await deleteOld(join(folder, first));
      for await (const second of namesIn(join(folder, first))) {
        for await (const name of namesIn(join(folder, first, second))) {
          const key = name.endsWith(DRAFT) ? name.slice(0, -DRAFT.length) : name;
          // What is not ours is left alone.
          const found = isId('blob', key) && (await stat(join(folder, first, second, name)).catch(unlessMissing));
          if (!found) continue;
          batch.push({ key, modifiedAt: found.mtime });
          if (batch.length < BATCH) continue;
          yield batch;
          batch = [];
        }
      }
    }
    yield batch;
  }

  async check(): Promise<void> {
    // Nothing is made for a question.
    for (let path = await this.folder(); ; path = dirname(path)) {
      const isThere = await access(path, constants.W_OK).then(() => true, unlessMissing);
      if (isThere) return this.disk.claim(path, 0);
      if (path === dirname(path)) return;
    }
  }

  /** Nothing is open. */
  close(): void {}

  private async folder(): Promise<string> {
    return join(this.dataDir, BLOBS, await this.root());
  }

  private async pathOf(key: string): Promise<string> {
    return join(await this.folder(), key.slice(-2, -1), key.slice(-1), key);
  }
}

/** Makes both levels. A new folder is there after a power cut when the one that it is in was synced. */
async function makeFolder(folder: string): Promise<void> {
  for (const path of [dirname(folder), folder]) {
    try {
      await mkdir(path, { mode: 0o700 });
    } catch (error) {
      if (systemCode(error) === 'EEXIST') continue;
      throw error;
    }
    await syncFolder(dirname(path));
  }
}

/** The names in a folder; none where it is not there, or no folder. */
async function* namesIn(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return [];
    throw error;
  });
  for await (const { name } of entries) yield name;
}

async function deleteOld(path: string): Promise<void> {
  const found = await stat(path).catch(unlessMissing);
  if (found && found.mtimeMs < Date.now() - MARKER_DRAFT_MS) await rm(path, { force: true });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

function unlessMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
}
