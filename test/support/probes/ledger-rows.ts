import type { Platform } from '../servers/platform.js';

/** What the ledger says of a call, as its row has it. */
export interface LedgerRow {
  readonly area: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly state: string;
  readonly outcome: string;
}

/** Reads the calls that were settled last, the last one first. */
export function lastSettledCalls(platform: Platform, count = 1): Promise<LedgerRow[]> {
  const sql =
    'SELECT area, prompt_tokens, completion_tokens, state, outcome FROM calls ORDER BY settled_at DESC LIMIT $1';
  return platform.query(sql, [count]);
}

/** How many calls the ledger has. */
export async function countCalls(platform: Platform): Promise<number> {
  const [row] = await platform.query<{ calls: number }>('SELECT count(*)::integer AS calls FROM calls');
  return row?.calls ?? 0;
}
