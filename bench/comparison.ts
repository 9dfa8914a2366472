import type { Target } from './load.js';
import type { ServerProcess } from './processes.js';
import type { Figure, Section, Size } from './section.js';

/** A contender that has been started. */
export interface Running {
  readonly server: ServerProcess;
  readonly target: Target;
  stop(): Promise<void>;
}

/** One of the servers that are compared. */
export interface Contender {
  readonly name: string;
  start(): Promise<Running>;
}

/** Something that is measured on every contender. */
export interface Case {
  /** For what takes long and varies little. */
  readonly lastRoundOnly?: boolean;
  /** Compiles what the server runs for it, and opens its connections. */
  warmUp?(target: Target, seconds: number): Promise<unknown>;
  measure(running: Running, size: Size): Promise<readonly Figure[]>;
}

interface Comparison extends Pick<Section, 'name' | 'title' | 'about' | 'rounds'> {
  /** The first is what the others are set against. */
  readonly contenders: readonly Contender[];
  readonly cases: readonly Case[];
}

/** A section in which servers are compared: each is started anew in every round, warmed up, and meets all cases. */
export function comparison({ contenders, cases, ...texts }: Comparison): Section {
  return {
    ...texts,
    columns: contenders.map(({ name }) => name),
    yardstick: contenders[0]?.name,
    measure: async (column, size, isLastRound) => {
      const running = await (contenders.find(({ name }) => name === column) as Contender).start();
      try {
        for (const { warmUp } of cases) await warmUp?.(running.target, size.warmUpSeconds);
        const figures: Figure[] = [];
        for (const { measure, lastRoundOnly } of cases) {
          if (isLastRound || !lastRoundOnly) figures.push(...(await measure(running, size)));
        }
        return figures;
      } finally {
        await running.stop();
      }
    },
  };
}
