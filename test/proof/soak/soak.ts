import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../support/probes/eventually.js';
import { settled } from '../../crash/ledger-check.js';
import type { Replica } from '../../crash/replica.js';
import type { TestBed } from '../../crash/test-bed.js';
import type { Proof, ProofOptions, Proven } from '../proof.js';
import { pause, play, Tally } from './actor.js';
import type { Actor } from './actor.js';
import { GOOD, goodCallers, leavers, poisoners, silentCallers } from './actors/callers.js';
import { graphqlFloods, halfOpen, pingFloods } from './actors/floods.js';
import { PROMISED_MS, revokedSessions } from './actors/revoked.js';
import { compareQuarters, courseTable, MOST_DESCRIPTORS, outcomesTable, quartersTable, timesTable } from './report.js';
import { Sampler } from './sampler.js';
import type { ProcessSample } from './sampler.js';
import { Site } from './site.js';

const ACTORS: readonly Actor[] = [
  goodCallers,
  leavers,
  poisoners,
  silentCallers,
  graphqlFloods,
  pingFloods,
  halfOpen,
  revokedSessions,
];
/** What a process said last comes behind its end. */
const LOG_MS = 300;
/** How many of the revoked streams may end later than promised, up to twice as late. */
const MOST_LATE = 0.01;
/** Until all that the load had opened is closed. */
const REST_SECONDS = 60;
const SAMPLE_EVERY_MS = 10_000;
/** A short soak needs some samples in each quarter, too. */
const LEAST_SAMPLES = 24;

/** Two replicas under everything at once, for as long as one likes. */
export const soak: Proof = {
  name: 'soak',
  about: 'good callers are served by two replicas, flat in memory and descriptors, whatever others do to these',
  run: async (bed: TestBed, options: ProofOptions): Promise<Proven> => {
    const environment = await bed.openEnvironment('soak', 1, options.seed);
    try {
      const site = await Site.start(environment);
      for (const user of ['pinger', 'leaver']) await site.addUser(user);
      return await new Soak(site, environment.folder, options).run();
    } finally {
      await environment.close();
    }
  },
};

class Soak {
  private readonly tally = new Tally();
  private readonly sampler: Sampler;
  private readonly over = new AbortController();
  private readonly problems: string[] = [];

  constructor(
    private readonly site: Site,
    private readonly folder: string,
    private readonly options: ProofOptions,
  ) {
    this.sampler = new Sampler(site.replicas, this.tally, goodCallers.name);
  }

  async run(): Promise<Proven> {
    const { signal } = this.over;
    for (const replica of this.site.replicas) void this.watch(replica);
    const scene = { site: this.site, signal, tally: this.tally };
    const before = this.sampler.look();
    const played = ACTORS.flatMap((actor, part) =>
      Array.from({ length: actor.copies }, (_, copy) => play(actor, scene, this.options.seed + 1_000 * part + copy)),
    );
    const asked = this.sampler.ask(signal);
    await this.takeSamples();
    this.over.abort();
    await Promise.all([...played, asked]);
    const note = (error: Error): void => void this.problems.push(error.message);
    await settled(this.site.query).catch(note);
    await eventually('as few descriptors are open as before', REST_SECONDS, () => this.isAtRest(before)).catch(note);
    await Promise.all(this.site.replicas.map((replica) => this.stop(replica)));
    return this.proven();
  }

  /** Whether every process has given back what it had opened. */
  private isAtRest(before: readonly (ProcessSample | undefined)[]): boolean {
    return this.sampler.look().every((now, number) => {
      const first = before[number];
      return !now || !first || now.descriptors <= first.descriptors + MOST_DESCRIPTORS;
    });
  }

  private async stop(replica: Replica): Promise<void> {
    const child = replica.life?.child;
    await replica.stop();
    if (child?.exitCode !== 0)
      this.problems.push(`${replica.name} ended with ${child?.exitCode ?? child?.signalCode}.`);
  }

  private async takeSamples(): Promise<void> {
    const until = performance.now() + this.options.minutes * 60_000;
    const every = Math.min(SAMPLE_EVERY_MS, (this.options.minutes * 60_000) / LEAST_SAMPLES);
    while (performance.now() < until) {
      await pause(every, this.over.signal);
      const { seconds, processes, whole, failed } = this.sampler.take();
      const texts = processes.map((one) => one && `${Math.round(one.residentMib)} MiB, ${one.descriptors} descriptors`);
      console.error(`${seconds} s: ${texts.join('; ')}; ${whole} good calls, ${failed} failed`);
    }
  }

  /** A process that ends is told, and started again, so that the rest is seen, too. */
  private async watch(replica: Replica): Promise<void> {
    for (let life = 1; replica.life; life += 1) {
      const { child } = replica.life;
      await once(child, 'exit');
      if (this.over.signal.aborted) return;
      await pause(LOG_MS, this.over.signal);
      const log = readFileSync(join(this.folder, `${replica.name}.${life}.log`), 'utf8');
      const reason = /^(\w*Error|\w+ \[\w+\]): .*$/m.exec(log)?.[0];
      this.problems.push(`${replica.name} ended with ${child.exitCode ?? child.signalCode}: ${reason?.slice(0, 300)}`);
      await replica.kill();
      await replica.start();
    }
  }

  private proven(): Proven {
    const names = this.site.replicas.map(({ name }) => name);
    const { samples, failures } = this.sampler;
    const quarters = compareQuarters(samples, names, this.options.minutes);
    const failed = this.tally.of(goodCallers.name).filter(([outcome]) => outcome !== GOOD);
    const problems = [
      ...this.problems,
      ...failed.map(([outcome, count]) => `${count} good calls failed: ${outcome}`),
      ...[...failures].map(([failure, count]) => `${count} good requests failed, ${failure}`),
      ...lateOnes(this.tally),
      ...quarters.filter(({ isFlat }) => !isFlat).map(({ what }) => `not flat: ${what}`),
    ];
    const { minutes, seed } = this.options;
    const report = [
      `## Soak: ${minutes} minutes, seed ${seed}`,
      courseTable(samples, names),
      quartersTable(quarters),
      outcomesTable(
        this.tally,
        ACTORS.map(({ name }) => name),
      ),
      timesTable(this.tally),
    ].join('\n\n');
    return { report: `${report}\n`, problems };
  }
}

/** What took longer than promised, but for what a busy machine explains. */
function lateOnes({ times }: Tally): string[] {
  return [...times].flatMap(([what, all]) => {
    const late = all.filter((milliseconds) => milliseconds > PROMISED_MS);
    const isFine =
      late.length <= all.length * MOST_LATE && late.every((milliseconds) => milliseconds <= 2 * PROMISED_MS);
    return isFine
      ? []
      : [`${what}: ${late.length} of ${all.length} over ${PROMISED_MS} ms, up to ${Math.max(...late)} ms`];
  });
}
