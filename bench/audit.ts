import type { Environment } from './environment.js';
import type { Section } from './section.js';

interface Printed {
  readonly plainMilliseconds: number;
  readonly recordedMilliseconds: number;
  readonly sealedPerSecond: number;
  /** Undefined: one process alone may use the database. */
  readonly longestLagSeconds?: number;
  readonly entries: number;
  readonly verifiedPerSecond: number;
}

/** What an entry adds to its transaction, and what sealing and verifying take. */
export function auditLog(environment: Environment): Section {
  return {
    name: 'audit',
    title: 'The audit log',
    about: `A transaction reads and locks a row and writes it; with an entry it records that, too. 30,000 records of four chains
are sealed at once; then three processes write as fast as they can while one seals.`,
    columns: ['PostgreSQL', 'embedded'],
    measure: async (column) => {
      const place = await environment.dataPlace(column as 'PostgreSQL' | 'embedded');
      try {
        const printed = await environment.processes.run({
          args: ['--import', 'tsx', 'bench/write-audit.ts'],
          env: place.settings,
          logFile: environment.path('audit.log'),
          underTest: true,
        });
        const figures = JSON.parse(printed) as Printed;
        const { plainMilliseconds, recordedMilliseconds, longestLagSeconds } = figures;
        const isTarget = column === 'PostgreSQL';
        return [
          { row: 'transaction, ms', value: plainMilliseconds },
          { row: 'transaction with an entry, ms', value: recordedMilliseconds },
          {
            row: 'with an entry, as a share',
            value: recordedMilliseconds / plainMilliseconds,
            reach: isTarget ? { atMost: 1.4 } : undefined,
          },
          { row: 'sealed/s', value: figures.sealedPerSecond, reach: { atLeast: 5_000 } },
          ...(longestLagSeconds === undefined
            ? []
            : [{ row: 'not sealed for, beside three writers, s', value: longestLagSeconds, reach: { atMost: 2 } }]),
          { row: 'verified/s', value: figures.verifiedPerSecond, reach: { atLeast: 50_000 } },
        ];
      } finally {
        await place.remove();
      }
    },
  };
}
