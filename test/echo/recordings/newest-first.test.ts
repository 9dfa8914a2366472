import { expect, it } from '@jest/globals';
import { NewestFirst } from '../../../src/echo/recordings/newest-first.js';

it('does the first and the newest of many, and refuses the others without beginning them', async () => {
  const bed = new WorkBed();
  const runs = Array.from({ length: 300 }, (_, index) => bed.run('one', index));

  const results = await bed.finish(runs);

  expect(bed.begun).toEqual([0, 299]);
  expect([results[0], results[299]]).toEqual([0, 299]);
  expect(new Set(results.slice(1, 299))).toEqual(new Set(['refused by 299']));
});

it('does the next newest where one fails, and others for other subjects at the same time', async () => {
  const bed = new WorkBed();
  const runs = [bed.run('one', 0), bed.run('one', 1), bed.run('one', 2), bed.run('one', 3, true), bed.run('two', 4)];

  expect(bed.begun).toEqual([0, 4]);
  expect(await bed.finish(runs)).toEqual([0, 'refused by 2', 2, 'failed', 4]);
  expect(bed.begun).toEqual([0, 4, 3, 2]);
  expect(await bed.finish([bed.run('one', 5)])).toEqual([5]);
});

class WorkBed {
  readonly begun: number[] = [];
  private readonly newest = new NewestFirst();
  private readonly gate = Promise.withResolvers<void>();

  run(subject: string, index: number, fails = false): Promise<number> {
    const work = async (): Promise<number> => {
      this.begun.push(index);
      await this.gate.promise;
      if (fails) throw new Error('failed');
      return index;
    };
    return this.newest.run(subject, work, (newer) => new Error(`refused by ${newer}`));
  }

  async finish(runs: readonly Promise<number>[]): Promise<(number | string)[]> {
    this.gate.resolve();
    return Promise.all(runs.map((run) => run.catch((error: Error) => error.message)));
  }
}
