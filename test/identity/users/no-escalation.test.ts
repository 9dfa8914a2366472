import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../../crash/random.js';
import { PASSWORD } from '../../support/builders/accounts.js';
import { cheapHash } from '../../support/builders/cheap-hash.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Platform } from '../../support/servers/platform.js';
import { Scene } from './no-escalation/scene.js';
import { STEP_KINDS } from './no-escalation/steps.js';

/** ESCALATION_SEED repeats a run. */
const SEED = Number(process.env.ESCALATION_SEED ?? Date.now() % 1_000_000);

describe(`whatever administrators do (seed ${SEED})`, () => {
  let platform: Platform;
  beforeAll(async () => (platform = await startPlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '0', ...BEHIND_PROXY })));
  afterAll(() => platform.close());

  it('gives nobody what the giver lacks, and lets nobody reach beyond a tenant or a provider', async () => {
    const passwordHash = cheapHash(PASSWORD);
    const problems: string[] = [];
    const answered = new Map<string, { done: number; refused: number }>();
    const oneSided = () => STEP_KINDS.filter((kind) => !answered.get(kind)?.done || !answered.get(kind)?.refused);
    // A seed may leave a rare kind of step out: it goes on until each was done, and refused.
    const isOver = (number: number) => number >= MOST_SEQUENCES || (number >= SEQUENCES && oneSided().length === 0);

    for (let number = 0; problems.length === 0 && !isOver(number); number += 1) {
      const scene = await Scene.start({
        platform,
        random: new Random(SEED * MOST_SEQUENCES + number),
        number,
        passwordHash,
      });
      problems.push(...(await scene.play(STEPS, answered)));
    }

    expect(problems).toEqual([]);
    // Otherwise the rules would have had nothing to judge.
    expect(oneSided()).toEqual([]);
  }, 240_000);
});

const SEQUENCES = 500;
const MOST_SEQUENCES = 1_000;
const STEPS = 6;
/** Failed sign-ins count against an address, so each sequence has its own. */
const BEHIND_PROXY = { TRUST_PROXY: '127.0.0.1/32' };
