import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { GreedyUser, Outcomes } from './be-greedy.js';
import type { GreedyNews, GreedyOrder } from './greedy.process.js';

/** The process of the greedy user, as this one talks to it. */
export class GreedyProcess {
  private constructor(
    private readonly child: ChildProcess,
    /** The base URL of its model servers. */
    readonly modelsUrl: string,
  ) {}

  static async start(): Promise<GreedyProcess> {
    const entry = new URL('./greedy.process.ts', import.meta.url);
    const child = fork(entry, { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const news = await newsOf(child);
    if (!('url' in news)) throw new Error('The greedy process did not start.');
    return new GreedyProcess(child, news.url);
  }

  /** @param work its place in `GREEDY_WORKS` @returns what the turns are told */
  async prepare(work: number, user: GreedyUser): Promise<string> {
    const news = await this.ask({ order: 'prepare', work, user });
    return 'prepared' in news ? news.prepared : '';
  }

  begin(work: number, user: GreedyUser, prepared: string): void {
    this.child.send({ order: 'begin', work, user, prepared } satisfies GreedyOrder);
  }

  /** Ends what it does, at once. @returns how it went */
  async end(): Promise<Outcomes> {
    const news = await this.ask({ order: 'end' });
    return 'outcomes' in news ? news.outcomes : [];
  }

  close(): void {
    this.child.kill('SIGKILL');
  }

  private ask(order: GreedyOrder): Promise<GreedyNews> {
    const answered = newsOf(this.child);
    this.child.send(order);
    return answered;
  }
}

async function newsOf(child: ChildProcess): Promise<GreedyNews> {
  const [news] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [GreedyNews | number | null];
  if (typeof news !== 'object' || news === null) throw new Error(`The greedy process has ended with ${news}.`);
  if ('failure' in news) throw new Error(news.failure);
  return news;
}
