import type { Environment } from './environment.js';
import type { Figure, Section } from './section.js';

interface Printed {
  readonly loneMilliseconds: number;
  readonly few: Loop;
  readonly more: Loop;
}

interface Loop {
  readonly perSecond: number;
  readonly processorUs: number;
  /** For PostgreSQL alone. */
  readonly databaseUs?: number;
}

/** What the ledger can take, without a server around it. */
export function ledgerAlone(environment: Environment): Section {
  return {
    name: 'ledger-alone',
    title: 'The ledger alone',
    about: `Each call is an intent and a settlement, both waited for, over 20 users of one tenant. PostgreSQL waits for the disk,
the embedded database does not.`,
    columns: ['PostgreSQL', 'embedded'],
    measure: async (column, { loopSeconds }) => {
      const place = await environment.dataPlace(column as 'PostgreSQL' | 'embedded');
      try {
        const printed = await environment.processes.run({
          args: ['--import', 'tsx', 'bench/write-ledger.ts', String(loopSeconds)],
          env: place.settings,
          logFile: environment.path('ledger.log'),
          underTest: true,
        });
        const { loneMilliseconds, few, more } = JSON.parse(printed) as Printed;
        const reach = column === 'PostgreSQL' ? { atLeast: 15_000 } : undefined;
        return [
          { row: 'a lone call, ms', value: loneMilliseconds },
          { row: 'calls/s, 64 callers', value: few.perSecond },
          { row: 'processor time a call, 64 callers, µs', value: few.processorUs },
          ...databaseTime(few, '64 callers'),
          { row: 'calls/s, 256 callers', value: more.perSecond, reach },
          { row: 'processor time a call, 256 callers, µs', value: more.processorUs },
          ...databaseTime(more, '256 callers'),
        ];
      } finally {
        await place.remove();
      }
    },
  };
}

function databaseTime({ databaseUs }: Loop, callers: string): Figure[] {
  return databaseUs === undefined ? [] : [{ row: `of PostgreSQL, ${callers}, µs`, value: databaseUs }];
}
