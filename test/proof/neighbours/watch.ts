import type { GreedyWork } from './greedy-work.js';
import { takenBy } from './machine.js';

/** A server that is watched from outside. */
export interface WatchedServer {
  readonly origin: string;
  readonly pid: number;
  /** For `/metrics`. */
  readonly serviceKey: string;
}

/** The most of everything, as it was seen. */
export interface Most {
  readonly residentMib: number;
  readonly childrenMib: number;
  readonly processes: number;
  /** By series and program, of the work's bounds. */
  readonly counted: Readonly<Record<string, number>>;
}

/** What a server takes while somebody is greedy. */
export class Watch {
  private most: Most = { residentMib: 0, childrenMib: 0, processes: 0, counted: {} };

  constructor(
    private readonly server: WatchedServer,
    private readonly work: Pick<GreedyWork, 'bounds' | 'programs'>,
  ) {}

  /** Looks once. @returns what it has seen so far */
  async look(): Promise<Most> {
    const { residentMib, childrenMib, programs } = takenBy(this.server.pid);
    const now = {
      residentMib,
      childrenMib,
      processes: sum(Object.values(programs)),
      counted: await this.count(programs),
    };
    const names = new Set([...Object.keys(now.counted), ...Object.keys(this.most.counted)]);
    this.most = {
      residentMib: Math.max(this.most.residentMib, now.residentMib),
      childrenMib: Math.max(this.most.childrenMib, now.childrenMib),
      processes: Math.max(this.most.processes, now.processes),
      counted: Object.fromEntries(
        [...names].map((name) => [name, Math.max(this.most.counted[name] ?? 0, now.counted[name] ?? 0)]),
      ),
    };
    return this.most;
  }

  /** Looks again and again until the signal. @throws what the metrics throw */
  async lookUntil(signal: AbortSignal, everyMs: number): Promise<Most> {
    while (!signal.aborted) {
      await this.look();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    return this.most;
  }

  /** What of that which is bounded is still taken: all of it is given back once the work is over. */
  async unrested(): Promise<readonly string[]> {
    const counted = await this.count(takenBy(this.server.pid).programs);
    return Object.entries(counted).flatMap(([name, value]) => (value > 0 ? [`${name} ${value}`] : []));
  }

  /** What is beyond its bound, a sentence each. */
  problemsOf({ counted }: Most): string[] {
    return Object.entries({ ...this.work.bounds, ...this.work.programs }).flatMap(([name, bound]) =>
      (counted[name] ?? 0) > bound ? [`${name} was ${counted[name]}, and may be ${bound}`] : [],
    );
  }

  private async count(programs: Readonly<Record<string, number>>): Promise<Record<string, number>> {
    const { bounds = {}, programs: bounded = {} } = this.work;
    const series = Object.keys(bounds).length === 0 ? [] : await this.series();
    const valueOf = (name: string): number => {
      const line = series.find((text) => text.startsWith(`${name} `));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    return Object.fromEntries([
      ...Object.keys(bounds).map((name) => [name, valueOf(name)] as const),
      ...Object.keys(bounded).map((name) => [name, programs[name] ?? 0] as const),
    ]);
  }

  private async series(): Promise<string[]> {
    const { origin, serviceKey } = this.server;
    const response = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${serviceKey}` } });
    if (response.status !== 200) throw new Error(`/metrics answers ${response.status}.`);
    return (await response.text()).split('\n');
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
