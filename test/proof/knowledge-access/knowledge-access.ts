import { Random } from '../../crash/random.js';
import type { TestBed } from '../../crash/test-bed.js';
import { startPlatform } from '../../support/servers/platform.js';
import type { Proof, ProofOptions, Proven } from '../proof.js';
import { SharedBases } from './shared-bases.js';

const STEPS = 10_000;

/** Nobody is told of what it may not read, while rights and files change. */
export const knowledgeAccess: Proof = {
  name: 'knowledge-access',
  about:
    '10,000 queries and chats of four users of two tenants, while bases change: nobody is told of what is not theirs',
  run: async (_bed: TestBed, { seed }: ProofOptions): Promise<Proven> => {
    const platform = await startPlatform({ RATE_LIMIT_REQUESTS_PER_MINUTE: '0' });
    try {
      const shared = new SharedBases(platform, new Random(seed));
      await shared.begin();
      await shared.play(STEPS);
      const { queries, chats, refused, changes, passages, problems } = shared.tally;
      const report = `## Access: seed ${seed}

| queries | chats | refused | changes | passages and citations | not as they should be |
| --- | --- | --- | --- | --- | --- |
| ${queries} | ${chats} | ${refused} | ${changes} | ${passages} | ${problems.length} |
`;
      return { report, problems: problems.slice(0, 20) };
    } finally {
      await platform.close();
    }
  },
};
