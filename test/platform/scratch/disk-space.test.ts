import { expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import { pino } from 'pino';
import { admitBytes, DiskSpace } from '../../../src/platform/scratch/disk-space.js';

it.each([0, 10, 1_000_000])('settles %i expected bytes of which a write fails in the middle', async (expectedBytes) => {
  let claimed = 0;
  const settle = (bytes: number): void => void (claimed -= bytes);
  const reserve = (bytes: number) => Promise.resolve(void (claimed += bytes));

  const bytes = admitBytes(chunks(), expectedBytes, { reserve, written: settle, unused: settle });
  for (let count = 0; count < 2; count += 1) await bytes.next();
  await bytes.return();

  expect(claimed).toBe(0);
});

it('refuses what is too large for itself alone, and says so once', async () => {
  const lines: string[] = [];
  const disk = new DiskSpace(1, pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }));

  for (let round = 0; round < 2; round += 1) {
    const claims = [Number.MAX_SAFE_INTEGER, 1].map((bytes) => disk.claim(tmpdir(), bytes));
    expect(await Promise.allSettled(claims)).toMatchObject([{ reason: { status: 503 } }, { status: 'fulfilled' }]);
  }

  expect(lines).toHaveLength(1);
});

async function* chunks(): AsyncGenerator<Uint8Array> {
  for (;;) yield await Promise.resolve(new Uint8Array(100_000));
}
