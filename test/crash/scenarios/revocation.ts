import { problemsOf } from '../../proof/revocation/report.js';
import { Trial } from '../../proof/revocation/trial.js';
import { failOn } from '../ledger-check.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';

/** Enough to see, and little enough for a machine that does other work, too. */
const REQUESTS_PER_SECOND = 200;

/** Tokens end in every way while they are used: a sample of `npm run proof -- revocation`. */
export const revocation: Scenario = {
  name: 'revocation',
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    const turns = Math.ceil(environment.rounds / 10);
    const result = await Trial.run(environment, {
      requestsPerSecond: REQUESTS_PER_SECOND,
      isOver: (turn) => turn >= turns,
    });
    failOn(problemsOf(result, 0));
    const revoked = [...result.kinds, result.rotation].reduce((sum, { times }) => sum + times, 0);
    return { revoked, 'requests per second': Math.round(result.requestsPerSecond) };
  },
};
