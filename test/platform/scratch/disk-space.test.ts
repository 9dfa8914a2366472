import { expect, it } from '@jest/globals';
import { admitBytes } from '../../../src/platform/scratch/disk-space.js';

it.each([0, 10, 1_000_000])('settles %i expected bytes of which a write fails in the middle', async (expectedBytes) => {
  let claimed = 0;
  const settle = (bytes: number): void => void (claimed -= bytes);
  const reserve = (bytes: number) => Promise.resolve(void (claimed += bytes));

  const bytes = admitBytes(chunks(), expectedBytes, { reserve, written: settle, unused: settle });
  for (let count = 0; count < 2; count += 1) await bytes.next();
  await bytes.return();

  expect(claimed).toBe(0);
});

async function* chunks(): AsyncGenerator<Uint8Array> {
  for (;;) yield await Promise.resolve(new Uint8Array(100_000));
}
