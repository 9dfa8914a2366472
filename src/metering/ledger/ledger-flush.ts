import { LEASE_SECONDS } from '../../platform/cluster/process-lease.js';
import type { CallOwner, Intent, Settlement, Verdict } from './ledger.types.js';

/** One row for each intent that was not admitted. */
export const LEDGER_FLUSH = 'SELECT * FROM ledger_flush($1, $2, $3, $4, $5, $6, $7, $8)';

/** A row that the statement answers. */
export interface RefusedRow {
  readonly call_id: string;
  readonly verdict: 'requests' | 'tokens' | 'claimed';
  readonly state: 'open' | 'exact' | 'estimated' | null;
  readonly fingerprint: string | null;
  /** Base64. */
  readonly answer: string | null;
}

interface Slot {
  readonly subject: string;
  readonly period: string;
  readonly tenantId: string;
  place: number;
}

/** The place of a counter's slot, from 1. */
type PlaceOf = (subject: string, call: CallOwner) => number;

/** What of this process goes into every flush. */
export interface FlushSettings {
  readonly processId: string;
  /** What each user of a tenant without a quota of its own may use in a month; undefined: any number. */
  readonly userTokens: number | undefined;
}

/** The values of the statement: every counter that it may move has one slot, and the slots are in one order everywhere. */
export function flushValues(
  { processId, userTokens }: FlushSettings,
  intents: readonly Intent[],
  settlements: readonly Settlement[],
): unknown[] {
  const slots = new Map<string, Slot>();
  for (const call of [...intents, ...settlements]) {
    for (const subject of [call.tenantId, call.userId]) {
      const key = keyOf(subject, call);
      if (!slots.has(key)) slots.set(key, { subject, period: call.period, tenantId: call.tenantId, place: 0 });
    }
  }
  const keys = [...slots.keys()].sort();
  const ordered = keys.map((key, index) => Object.assign(slots.get(key) as Slot, { place: index + 1 }));
  const placeOf: PlaceOf = (subject, call) => slots.get(keyOf(subject, call))?.place as number;
  return [
    processId,
    LEASE_SECONDS,
    ordered.map((slot) => slot.subject),
    ordered.map((slot) => slot.period),
    ordered.map((slot) => slot.tenantId),
    intents.length === 0 ? null : JSON.stringify(intents.map((intent) => intentRecord(intent, placeOf))),
    settlements.length === 0
      ? null
      : JSON.stringify(settlements.map((settlement) => settlementRecord(settlement, placeOf))),
    userTokens ?? null,
  ];
}

function keyOf(subject: string, { period }: CallOwner): string {
  return `${subject} ${period}`;
}

function intentRecord(intent: Intent, placeOf: PlaceOf): object {
  return {
    id: intent.id,
    user: placeOf(intent.userId, intent),
    tenant: placeOf(intent.tenantId, intent),
    token: intent.tokenId,
    request: intent.requestId,
    area: intent.area,
    model: intent.model,
    backend: intent.backend,
    prompt: intent.promptTokens,
    reserve: intent.reservedTokens,
    claim: intent.claim?.id,
    fingerprint: intent.claim?.fingerprint,
    at: intent.createdAt,
  };
}

function settlementRecord(settlement: Settlement, placeOf: PlaceOf): object {
  return {
    id: settlement.id,
    user: placeOf(settlement.userId, settlement),
    tenant: placeOf(settlement.tenantId, settlement),
    state: settlement.state,
    outcome: settlement.outcome,
    backend: settlement.backend,
    prompt: settlement.promptTokens,
    completion: settlement.completionTokens,
    ms: settlement.durationMs,
    keep: settlement.keepClaim,
    recovered: settlement.recovered ?? false,
    answer: settlement.sealedAnswer?.toString('base64'),
  };
}

/** What the statement says of an intent. */
export function verdictOf(row: RefusedRow | undefined): Verdict {
  if (!row) return { kind: 'admitted' };
  if (row.verdict !== 'claimed') return { kind: row.verdict };
  return {
    kind: 'claimed',
    state: row.state ?? 'open',
    fingerprint: row.fingerprint ?? '',
    ...(row.answer !== null && { sealedAnswer: Buffer.from(row.answer, 'base64') }),
  };
}
