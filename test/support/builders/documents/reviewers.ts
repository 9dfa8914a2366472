import type { SignedInUser } from '../accounts.js';
import type { AnyJson } from '../../probes/any-json.js';
import type { DocumentProbe } from '../documents.js';

/** The ways in which people review. */
const WAYS = ['one by one', 'claimed', 'in bulk', 'in bulk by a filter'] as const;

/** What a test has seen of several people who review one session at the same time. */
export class Reviewers {
  /** Who was told that an item is as this person has said. */
  readonly decided = new Map<string, string[]>();
  /** Whom an item was handed out to. */
  readonly claimed = new Map<string, Set<string>>();
  /** What should not have been answered. */
  readonly surprises: AnyJson[] = [];

  /** Reviews until nothing waits. @param way a number that chooses how, at the beginning */
  async work(user: SignedInUser, session: DocumentProbe, way: number): Promise<void> {
    for (let turn = way; ; turn += 1) {
      const waiting = idsOf((await session.review('?status=pending&limit=100')).body.data);
      if (waiting.length === 0) return;
      // From where one stands: all of them would else take the same first.
      const from = (turn * 37) % waiting.length;
      const some = [...waiting.slice(from), ...waiting.slice(0, from)];
      await this.turn(user, session, WAYS[turn % WAYS.length] ?? 'claimed', some);
    }
  }

  private async turn(user: SignedInUser, session: DocumentProbe, way: (typeof WAYS)[number], waiting: string[]) {
    if (way === 'one by one') return this.resolveSome(user, session, waiting.slice(0, 4));
    if (way === 'claimed') return this.claimAndResolve(user, session);
    if (way === 'in bulk') return this.resolveInBulk(user, session, waiting.slice(0, 8));
    const filter = { field: `unknown_${waiting.length % 25}` };
    return this.check(await session.request('POST', '/review/bulk-resolve', { action: 'reject', filter }), [200]);
  }

  /** What others have resolved or claimed meanwhile is a conflict, and nothing else is. */
  private async resolveSome(user: SignedInUser, session: DocumentProbe, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const answer = await session.resolve(id, { action: 'correct', value: user.id });
      this.check(answer, [200, 409]);
      if (answer.status === 200) this.decide(id, user);
    }
  }

  /** What somebody has claimed is that person's: nothing may come between. */
  private async claimAndResolve(user: SignedInUser, session: DocumentProbe): Promise<void> {
    const { body } = await session.request('POST', '/review/claim', { limit: 5, seconds: 300 });
    const ids = idsOf(body.data);
    for (const id of ids) this.claimed.set(id, (this.claimed.get(id) ?? new Set()).add(user.id));
    for (const id of ids) {
      this.check(await session.resolve(id, { action: 'correct', value: user.id }), [200]);
      this.decide(id, user);
    }
  }

  private async resolveInBulk(user: SignedInUser, session: DocumentProbe, ids: readonly string[]): Promise<void> {
    const items = ids.map((id) => ({ id, action: 'correct', value: user.id }));
    const answer = await session.request('POST', '/review/bulk-resolve', { items });
    this.check(answer, [200]);
    const { resolved, failed } = answer.body;
    const refused = new Set(idsOf(failed));
    if (resolved + refused.size !== ids.length) this.surprises.push(answer.body);
    if (failed.some(({ error }: AnyJson) => error.code !== 'conflict')) this.surprises.push(answer.body);
    for (const id of ids) if (!refused.has(id)) this.decide(id, user);
  }

  private decide(id: string, user: SignedInUser): void {
    this.decided.set(id, [...(this.decided.get(id) ?? []), user.id]);
  }

  private check({ status, body }: { readonly status: number; readonly body: AnyJson }, expected: number[]): void {
    if (!expected.includes(status)) this.surprises.push({ status, body });
  }
}

function idsOf(items: readonly AnyJson[]): string[] {
  return items.map(({ id }) => id as string);
}
