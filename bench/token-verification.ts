import type { Environment } from './environment.js';
import type { Section } from './section.js';

/** What verifying a token costs. */
export function tokenVerification(environment: Environment): Section {
  return {
    name: 'token-verification',
    title: 'Verifying a token',
    about: `Without a request around it. The first time a token comes, the (embedded) database is asked; then it is known. Means
of 300 tokens.`,
    columns: ['JWT', 'personal access token'],
    measure: async (kind) => {
      const printed = await environment.processes.run({
        args: ['--import', 'tsx', 'bench/verify-tokens.ts', kind, environment.path('data')],
        logFile: environment.path('tokens.log'),
        underTest: true,
      });
      const { first, known } = JSON.parse(printed) as { first: number; known: number };
      return [
        { row: 'the first time, µs', value: first },
        { row: 'when known, µs', value: known, reach: { atMost: 10 } },
      ];
    },
  };
}
