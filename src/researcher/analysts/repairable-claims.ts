import type { DropReason, RefusedClaim } from '../verification/verification.types.js';

const MOST_CLAIMS = 40;
/** UTF-16 units of a quote that are told: no longer one is looked for. */
const LONGEST_QUOTE = 2_000;
/** What stands around a claim and each of its quotes in a prompt, in UTF-16 units. */
const AROUND = 60;
/** A model that writes too much is not asked to write it again. */
const NOT_REPAIRED: ReadonlySet<DropReason> = new Set(['too_long', 'quote_too_long']);

/**
 * The refused claims that are asked for once more, at most forty: those with quotes that are not too long, as far as a
 * prompt has room for them.
 * @param most UTF-16 units of them, as JSON
 */
export function repairableClaims(refused: readonly RefusedClaim[], most: number): RefusedClaim[] {
  const some: RefusedClaim[] = [];
  let left = most;
  for (const { claim, reason } of refused) {
    if (some.length === MOST_CLAIMS) break;
    if (claim.quotes.length === 0 || NOT_REPAIRED.has(reason)) continue;
    const quotes = claim.quotes.map(({ source, quote }) => ({ source, quote: cut(quote) }));
    const size = sizeOf(claim.text) + quotes.reduce((sum, { quote }) => sum + sizeOf(quote), 0);
    if (size > left) continue;
    left -= size;
    some.push({ claim: { ...claim, quotes }, reason });
  }
  return some;
}

function cut(quote: string): string {
  return quote.slice(0, LONGEST_QUOTE).toWellFormed();
}

function sizeOf(text: string): number {
  return text.length > LONGEST_QUOTE ? Number.POSITIVE_INFINITY : JSON.stringify(text).length + AROUND;
}
