import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { DiskSpace } from '../../../src/platform/scratch/disk-space.js';
import { Scratch } from '../../../src/platform/scratch/scratch.js';

it('deletes at its start what ended processes have left, and nothing of others', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'scratch-'));
  for (const id of ['dead', 'alive']) {
    mkdirSync(join(dataDir, 'scratch', id, 'work'), { recursive: true });
    writeFileSync(join(dataDir, 'scratch', id, 'work', 'decoded.wav'), 'speech');
  }

  const id = randomUUID();

  const scratch = await Scratch.open({
    config: { dataDir, scratchBytes: 1_000 },
    lease: { id, listAlive: () => Promise.resolve([id, 'alive']) },
    disk: new DiskSpace(0, pino({ level: 'silent' })),
  });

  expect(readdirSync(join(dataDir, 'scratch')).sort()).toEqual([id, 'alive'].sort());
  {
    await using folder = await scratch.folderFor(undefined);
    writeFileSync(join(folder.path, 'decoded.wav'), 'speech');
    expect(readdirSync(scratch.root)).toHaveLength(1);
  }
  expect(readdirSync(scratch.root)).toEqual([]);
  await scratch.close();
  expect(readdirSync(join(dataDir, 'scratch'))).toEqual(['alive']);
  rmSync(dataDir, { recursive: true });
});
