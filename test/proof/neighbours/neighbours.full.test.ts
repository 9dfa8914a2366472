import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../../crash/random.js';
import { addSignedInAdmin, addStaffedTenant } from '../../support/builders/accounts.js';
import { eventually } from '../../support/probes/eventually.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { beGreedy } from './be-greedy.js';
import { GreedyClient } from './greedy-client.js';
import { backendsOf, GreedyModels } from './greedy-models.js';
import { GREEDY_WORKS } from './greedy-works.js';
import type { GreedyWork } from './greedy-work.js';
import { OtherChats } from './other-chats.js';
import { Watch } from './watch.js';

/** `SEED=5 npm run test:full -- test/proof/neighbours` repeats a sample. */
const SEED = Number(process.env.SEED ?? randomInt(1_000_000));
const CHATS = 20;
/** Enough to come to the bounds: here the server, its models and both users are one process. */
const MOST_COPIES = 24;

describe(`one user who takes all of a resource (seed ${SEED})`, () => {
  it.each(sample(4))('has its share of it alone: $resource', async (work) => {
    const { token } = await addSignedInAdmin(platform, greedyTenant);
    const ending = new AbortController();
    const prepared = (await work.setUp?.(new GreedyClient(platform.url, token, ending.signal))) ?? '';
    const watch = new Watch({ origin: platform.url, pid: process.pid, serviceKey: service.key }, work);

    const greed = beGreedy(work, { origin: platform.url, token }, prepared, ending.signal);
    const looked = watch.lookUntil(ending.signal, 300);
    const { count, failures } = await others.chatTimes(CHATS);
    ending.abort();

    expect([count, [...failures]]).toEqual([CHATS, []]);
    expect(watch.problemsOf(await looked)).toEqual([]);
    await greed;
    await eventually('everything is given back', 60, async () => (await watch.unrested()).length === 0);
  });

  const service = newServiceKey();
  const folder = mkdtempSync(join(tmpdir(), 'neighbours-'));
  let [platform, models, others, greedyTenant] = [{} as Platform, {} as GreedyModels, {} as OtherChats, ''];
  beforeAll(async () => {
    models = await GreedyModels.start();
    const file = join(folder, 'backends.json');
    writeFileSync(file, JSON.stringify(backendsOf(models.url, models.url)));
    platform = await startPlatform({ BACKENDS_FILE: file, ...service.env });
    others = new OtherChats(platform.url, [(await addStaffedTenant(platform)).user.token]);
    greedyTenant = (await addStaffedTenant(platform)).id;
  });
  afterAll(async () => {
    await others[Symbol.asyncDispose]();
    await platform.close();
    await models.close();
    rmSync(folder, { recursive: true });
  });
});

function sample(size: number): GreedyWork[] {
  const random = new Random(SEED);
  const left = [...GREEDY_WORKS];
  return Array.from({ length: size }, () => left.splice(random.between(0, left.length - 1), 1))
    .flat()
    .map((work) => ({ ...work, copies: Math.min(work.copies, MOST_COPIES) }));
}
