import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { StoredBlobs, writeBytes } from '../../support/probes/stored-blobs.js';

let stored: StoredBlobs;
beforeAll(async () => {
  stored = await StoredBlobs.open('the data folder');
});
afterAll(() => stored.close());

it('stores no file that would take of the reserve of the disk, says so, and goes on when there is room', async () => {
  const full = await stored.start('full', { DISK_RESERVE_BYTES: String(Number.MAX_SAFE_INTEGER) });
  const roomy = await stored.start('roomy', { DISK_RESERVE_BYTES: '1' });

  await expect(writeBytes(full, Buffer.alloc(1))).rejects.toMatchObject({
    status: 503,
    headers: { 'retry-after': '30' },
  });
  const state = await full.check();
  const { key } = await writeBytes(roomy, Buffer.alloc(1));

  expect(state).toBe('down');
  expect(stored.logLines.join('')).toContain('lower DISK_RESERVE_BYTES');
  await roomy.discard([key]);
  await stored.untilEmpty();
});
