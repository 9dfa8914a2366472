import type { GreedyClient } from './greedy-client.js';

/** What one user does who wants as much as there is. */
export interface GreedyWork {
  /** The row of the table in `docs/operations.md` that it is about. */
  readonly resource: string;
  readonly does: string;
  /** How often it does so at once. */
  readonly copies: number;
  /** Before the others are measured. @returns what each turn is told */
  setUp?(client: GreedyClient): Promise<string>;
  /** Does it once. @returns how it went, in a word or two */
  turn(client: GreedyClient, prepared: string): Promise<string | number>;
  /** The most that a series of the metrics may have meanwhile, as this is one user; afterwards it is 0 again. */
  readonly bounds?: Readonly<Record<string, number>>;
  /** How many processes of a program there may be below the server's; afterwards there are none of them. */
  readonly programs?: Readonly<Record<string, number>>;
}
