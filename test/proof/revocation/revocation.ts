import type { TestBed } from '../../crash/test-bed.js';
import type { Proof, ProofOptions, Proven } from '../proof.js';
import { problemsOf, reportOf } from './report.js';
import { Trial } from './trial.js';

const REQUESTS_PER_SECOND = 500;
/** The load does not make up for all of the time that it is held up. */
const LEAST_REQUESTS_PER_SECOND = 475;

/** Tokens that were revoked are worthless on every replica within a second, under load. */
export const revocation: Proof = {
  name: 'revocation',
  about:
    'a second after a token was revoked, in whatever way, it is worth nothing on any replica, and its streams are over',
  run: async (bed: TestBed, { minutes, seed }: ProofOptions): Promise<Proven> => {
    const environment = await bed.openEnvironment('revocation', 1, seed);
    try {
      const until = performance.now() + minutes * 60_000;
      const result = await Trial.run(environment, {
        requestsPerSecond: REQUESTS_PER_SECOND,
        isOver: () => performance.now() > until,
      });
      const report = `## Revocation: ${minutes} minutes, seed ${seed}\n\n${reportOf(result)}`;
      return { report, problems: problemsOf(result, LEAST_REQUESTS_PER_SECOND) };
    } finally {
      await environment.close();
    }
  },
};
