import { execFileSync } from 'node:child_process';
import { closeSync, constants, globSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { StoredBlobs, writeBytes } from '../../support/probes/stored-blobs.js';

let stored: StoredBlobs;
beforeAll(async () => void (stored = await StoredBlobs.open('the data folder')));
afterAll(() => stored.close());

it('a folder that hangs, as one of a network does, names no store, so that jobs without a file go on', async () => {
  const blobs = await stored.start();
  await writeBytes(blobs, Buffer.from('one'));
  const id = await blobs.storeId();
  const [marker = ''] = globSync(join(stored.dataDir, 'blobs/*/folder.id'));

  rmSync(marker);
  execFileSync('mkfifo', [marker]);
  const ids = await Promise.all([blobs.storeId(), blobs.storeId(), blobs.storeId()]);
  // One reader alone waits at the other end: this lets it go.
  closeSync(openSync(marker, constants.O_WRONLY | constants.O_NONBLOCK));

  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(ids).toEqual([undefined, undefined, undefined]);
});
