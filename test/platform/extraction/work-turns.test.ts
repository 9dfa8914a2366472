import { describe, expect, it } from '@jest/globals';
import { WorkTurns } from '../../../src/platform/extraction/child/work-turns.js';
import type { WorkKind } from '../../../src/platform/extraction/child/work-turns.js';

describe('who has a place next', () => {
  it('is not whoever has asked for many: users have them in turns', async () => {
    const bed = new TurnsBed(2);
    bed.ask('a/ann job 1', 'a/ann job 2', 'a/ann job 3', 'b/bob job 1');

    expect(await bed.inOrder()).toEqual(['a/ann job 1', 'b/bob job 1', 'a/ann job 2', 'a/ann job 3']);
  });

  it('is somebody of another tenant before another user of the same', async () => {
    const bed = new TurnsBed(3);
    bed.ask('a/ann job 1', 'a/amy job 1', 'a/abe job 1', 'b/bob job 1');

    expect(await bed.running()).toEqual(['a/ann job 1', 'a/amy job 1']);
    await bed.end('a/ann job 1');
    expect(await bed.running()).toEqual(['a/amy job 1', 'b/bob job 1']);
  });

  it('is who speaks live before who waits for an answer, and these before jobs', async () => {
    const bed = new TurnsBed(1);
    bed.ask('a/ann request 0', 'a/ann job 1', 'b/bob request 1', 'c/cid live 1');
    await bed.running();
    bed.ask('d/dan live 1');

    await bed.end('a/ann request 0');
    expect(await bed.running()).toEqual(['c/cid live 1']);
    await bed.end('c/cid live 1');
    expect(await bed.running()).toEqual(['d/dan live 1']);
  });

  it('has no job in the last place, so that others need not wait for what takes long', async () => {
    const bed = new TurnsBed(2);
    bed.ask('a/ann job 1', 'b/bob job 1');
    expect(await bed.running()).toEqual(['a/ann job 1']);

    bed.ask('c/cid request 1');
    expect(await bed.running()).toEqual(['a/ann job 1', 'c/cid request 1']);
  });

  it.each(['request', 'live'])('has not all places of one user for what is a %s', async (kind) => {
    const bed = new TurnsBed(2);
    bed.ask(`a/ann ${kind} 1`, `a/ann ${kind} 2`);
    expect(await bed.running()).toEqual([`a/ann ${kind} 1`]);

    bed.ask('b/bob request 1');
    expect(await bed.running()).toEqual([`a/ann ${kind} 1`, 'b/bob request 1']);
  });

  it.each([1, 2])('is a job in its turn where requests come without end, of %d places', async (places) => {
    const bed = new TurnsBed(places);
    bed.ask('a/ann request 0', 'b/bob request 0', 'c/cid job 1');
    for (let count = 1; count <= 4 && !bed.done.includes('c/cid job 1'); count += 1) {
      bed.ask(`a/ann request ${count}`, `b/bob request ${count}`);
      await bed.end((await bed.running())[0] as string);
    }

    expect([...bed.done, ...(await bed.running())]).toContain('c/cid job 1');
  });

  it('is not who has gone', async () => {
    const bed = new TurnsBed(1);
    bed.ask('a/ann job 1', 'b/bob job 1', 'c/cid job 1');
    await bed.running();

    bed.leave('b/bob job 1');
    await bed.end('a/ann job 1');

    expect(await bed.running()).toEqual(['c/cid job 1']);
    expect(bed.turns.waiting).toBe(0);
  });
});

/** Tasks named by whose they are: `tenant/user kind number`. */
class TurnsBed {
  readonly turns: WorkTurns;
  readonly done: string[] = [];
  private readonly ends = new Map<string, () => void>();
  private readonly leaving = new Map<string, AbortController>();

  constructor(places: number) {
    this.turns = new WorkTurns(places);
  }

  ask(...names: readonly string[]): void {
    for (const name of names) {
      const [tenantId = '', userId = '', kind] = name.split(/[/ ]/);
      const leaving = new AbortController();
      this.leaving.set(name, leaving);
      const turn = { tenantId, userId, kind: kind as WorkKind };
      this.turns.take(turn, leaving.signal).then(
        (end) => this.ends.set(name, end),
        () => undefined,
      );
    }
  }

  leave(name: string): void {
    this.leaving.get(name)?.abort();
  }

  /** Those that run now, in the order in which they began. */
  async running(): Promise<string[]> {
    await new Promise((resolve) => setImmediate(resolve));
    return [...this.ends.keys()];
  }

  async end(name: string): Promise<void> {
    await this.running();
    this.ends.get(name)?.();
    this.ends.delete(name);
    this.done.push(name);
    await this.running();
  }

  /** All of them, each ended once it has begun. */
  async inOrder(): Promise<string[]> {
    for (let [first] = await this.running(); first !== undefined; [first] = await this.running()) await this.end(first);
    return this.done;
  }
}
