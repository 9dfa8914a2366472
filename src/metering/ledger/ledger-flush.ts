import { LEASE_SECONDS } from '../../platform/cluster/process-lease.js';
import type { CallOwner, Intent, Settlement, Verdict } from './ledger.types.js';

/** Rows for the intents of which there is more to say than that they are admitted. */
export const LEDGER_FLUSH = 'SELECT * FROM ledger_flush($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)';

/** A row that the statement answers; that an intent is `limited` comes before anything else of it. */
export interface VerdictRow {
  readonly call_id: string;
  readonly verdict: 'limited' | 'requests' | 'tokens' | 'audio' | 'claimed';
  readonly state: 'open' | 'exact' | 'estimated' | null;
  readonly fingerprint: string | null;
  /** Base64. */
  readonly answer: string | null;
}

/** A counter that the statement may move. */
interface Slot {
  readonly subject: string;
  readonly period: string;
  readonly tenantId: string;
  /** From 1, once all slots are known. */
  place: number;
  /** What the intents would move it by. */
  calls: number;
  tokens: number;
  audioMs: number;
}

interface Placed<T extends CallOwner> {
  readonly call: T;
  readonly user: Slot;
  readonly tenant: Slot;
}

/** What of this process goes into every flush. */
export interface FlushSettings {
  readonly processId: string;
  /** What each user of a tenant without a quota of its own may use in a month; undefined: any number. */
  readonly userTokens: number | undefined;
}

/**
 * The values of the statement. Every counter that it may move has one slot; the slots, and the calls that are settled, are
 * in one order everywhere.
 */
export function flushValues(
  { processId, userTokens }: FlushSettings,
  intents: readonly Intent[],
  settlements: readonly Settlement[],
): unknown[] {
  const slots = new Map<string, Slot>();
  const slotOf = (subject: string, { period, tenantId }: CallOwner): Slot => {
    const key = `${subject} ${period}`;
    let slot = slots.get(key);
    if (!slot) slots.set(key, (slot = { subject, period, tenantId, place: 0, calls: 0, tokens: 0, audioMs: 0 }));
    return slot;
  };
  const placed = <T extends CallOwner>(call: T): Placed<T> => ({
    call,
    user: slotOf(call.userId, call),
    tenant: slotOf(call.tenantId, call),
  });
  const asked = intents.map(placed);
  const ended = settlements.toSorted(byId).map(placed);
  for (const { call, user, tenant } of asked) {
    if (call.area === null) continue;
    for (const slot of [user, tenant]) {
      slot.calls += 1;
      slot.tokens += call.reservedTokens;
      slot.audioMs += call.reservedAudioMs ?? 0;
    }
  }
  const ordered = [...slots].sort(byKey).map(([, slot]) => slot);
  ordered.forEach((slot, index) => (slot.place = index + 1));
  return [
    processId,
    LEASE_SECONDS,
    ordered.map((slot) => slot.subject),
    ordered.map((slot) => slot.period),
    ordered.map((slot) => slot.tenantId),
    ordered.map((slot) => slot.calls),
    ordered.map((slot) => slot.tokens),
    ordered.map((slot) => slot.audioMs),
    asked.length === 0 ? null : JSON.stringify(asked.map(intentRecord)),
    ended.length === 0 ? null : JSON.stringify(ended.map(settlementRecord)),
    userTokens ?? null,
  ];
}

/** What is told of the same call stays in its order. */
function byId(one: CallOwner, other: CallOwner): number {
  return one.id < other.id ? -1 : one.id === other.id ? 0 : 1;
}

/** Keys differ. */
function byKey([one]: readonly [string, Slot], [other]: readonly [string, Slot]): number {
  return one < other ? -1 : 1;
}

function intentRecord({ call: intent, user, tenant }: Placed<Intent>): object {
  return {
    id: intent.id,
    user: user.place,
    tenant: tenant.place,
    token: intent.tokenId,
    request: intent.requestId,
    area: intent.area,
    model: intent.model,
    backend: intent.backend,
    prompt: intent.promptTokens,
    reserve: intent.reservedTokens,
    audio: intent.audioMs ?? 0,
    reserve_audio: intent.reservedAudioMs ?? 0,
    claim: intent.claim?.id,
    fingerprint: intent.claim?.fingerprint,
    at: intent.createdAt,
  };
}

function settlementRecord({ call: settlement, user, tenant }: Placed<Settlement>): object {
  return {
    id: settlement.id,
    user: user.place,
    tenant: tenant.place,
    state: settlement.state,
    outcome: settlement.outcome,
    backend: settlement.backend,
    prompt: settlement.promptTokens,
    completion: settlement.completionTokens,
    audio: settlement.audioMs ?? 0,
    ms: settlement.durationMs,
    keep: settlement.keepClaim,
    recovered: settlement.recovered ?? false,
    answer: settlement.sealedAnswer?.toString('base64'),
  };
}

/** What the statement says of an intent. @param row the last one of it */
export function verdictOf(row: VerdictRow | undefined): Verdict {
  if (!row || row.verdict === 'limited') return { kind: 'admitted', isLimited: row !== undefined };
  if (row.verdict !== 'claimed') return { kind: row.verdict };
  return {
    kind: 'claimed',
    state: row.state ?? 'open',
    fingerprint: row.fingerprint ?? '',
    ...(row.answer !== null && { sealedAnswer: Buffer.from(row.answer, 'base64') }),
  };
}
