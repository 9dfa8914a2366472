import type { Intent, Settlement } from '../../../src/metering/ledger/ledger.types.js';

/** What a tenant, and each of its users, may have in a month; null: any number. */
export interface Limits {
  readonly requests: number | null;
  readonly tokens: number | null;
  readonly userRequests: number | null;
  readonly userTokens: number | null;
}

interface Call extends Pick<Settlement, 'promptTokens' | 'completionTokens'> {
  readonly metered: boolean;
  readonly state: 'open' | Settlement['state'];
  readonly recovered: boolean;
  readonly reserved: number;
  readonly claim: Intent['claim'];
}

/** Open calls, reserved tokens, settled calls, settled tokens. */
type Counter = [number, number, number, number];

/** What there is to say of an intent beside that it is admitted. */
interface FlushVerdict {
  readonly id: string;
  readonly verdict: 'limited' | 'requests' | 'tokens' | 'claimed';
  readonly state: Call['state'] | null;
  readonly fingerprint: string | null;
}

/** The rules of the ledger, said as plainly as can be: one entry after another, in memory. */
export class LedgerModel {
  private readonly rows = new Map<string, Call>();
  private readonly counted = new Map<string, Counter>();

  /**
   * @param limitsOf what is enforced for a tenant
   * @param userTokensOf what is enforced for each user of a tenant without a quota of its own
   */
  constructor(
    private readonly limitsOf: (tenantId: string) => Limits | undefined,
    private readonly userTokensOf: (tenantId: string) => number | undefined,
  ) {}

  /** Settles, then admits; answers whose tokens are limited, and then who was refused. */
  flush(intents: readonly Intent[], settlements: readonly Settlement[]): FlushVerdict[] {
    for (const { tenantId, userId } of [...intents, ...settlements]) {
      for (const subject of [tenantId, userId]) this.counterOf(subject);
    }
    for (const settlement of settlements) this.settle(settlement);
    const limited = intents.filter((intent) => intent.area !== null && this.hasTokenLimit(intent));
    const refused = intents.flatMap((intent) => this.admit(intent) ?? []);
    return [
      ...limited.map(({ id }): FlushVerdict => ({ id, verdict: 'limited', state: null, fingerprint: null })),
      ...refused,
    ];
  }

  counters(): Record<string, Counter> {
    return Object.fromEntries(this.counted);
  }

  calls(): Record<string, unknown[]> {
    return Object.fromEntries(
      [...this.rows].map(([id, { state, recovered, reserved, promptTokens, completionTokens, claim }]) => {
        return [id, [state, recovered, reserved, promptTokens, completionTokens, claim?.id ?? null]];
      }),
    );
  }

  private settle({ id, tenantId, userId, state, recovered = false, keepClaim, ...usage }: Settlement): void {
    const row = this.rows.get(id);
    if (!row || row.state === 'exact') return;
    if (row.state === 'estimated' && (recovered || (state === 'estimated' && !row.recovered))) return;
    const { promptTokens, completionTokens } = usage;
    const claim = keepClaim ? row.claim : undefined;
    this.rows.set(id, { ...row, state, recovered, reserved: 0, promptTokens, completionTokens, claim });
    if (!row.metered) return;
    for (const subject of [userId, tenantId]) {
      const counter = this.counterOf(subject);
      counter[3] += promptTokens + completionTokens;
      if (row.state === 'open') {
        counter[0] -= 1;
        counter[1] -= row.reserved;
        counter[2] += 1;
      } else counter[3] -= row.promptTokens + row.completionTokens;
    }
  }

  private admit({ id, tenantId, userId, area, claim, promptTokens, reservedTokens }: Intent): FlushVerdict | undefined {
    for (const [holder, row] of this.rows) {
      if (!claim || row.claim?.id !== claim.id || holder === id) continue;
      return { id, verdict: 'claimed', state: row.state, fingerprint: row.claim.fingerprint };
    }
    const verdict = area === null ? undefined : this.refusal(tenantId, userId, reservedTokens);
    if (this.rows.has(id)) return undefined;
    if (verdict) return { id, verdict, state: null, fingerprint: null };
    const open = { metered: area !== null, state: 'open', recovered: false } as const;
    this.rows.set(id, { ...open, reserved: reservedTokens, promptTokens, completionTokens: 0, claim });
    if (area === null) return undefined;
    for (const subject of [userId, tenantId]) {
      const counter = this.counterOf(subject);
      counter[0] += 1;
      counter[1] += reservedTokens;
    }
    return undefined;
  }

  private hasTokenLimit({ tenantId }: Intent): boolean {
    const limits = this.limitsOf(tenantId);
    if (!limits) return this.userTokensOf(tenantId) !== undefined;
    return limits.tokens !== null || limits.userTokens !== null;
  }

  /** The tenant's limit is told rather than the user's. */
  private refusal(tenantId: string, userId: string, reserve: number): 'requests' | 'tokens' | undefined {
    const limits = this.limitsOf(tenantId);
    const ofUser = { calls: limits?.userRequests, tokens: limits ? limits.userTokens : this.userTokensOf(tenantId) };
    const ofTenant = { calls: limits?.requests, tokens: limits?.tokens };
    return (
      this.exceeded(this.counterOf(tenantId), ofTenant, reserve) ??
      this.exceeded(this.counterOf(userId), ofUser, reserve)
    );
  }

  private exceeded(
    [open, reserved, settled, used]: Counter,
    { calls, tokens }: { readonly calls?: number | null | undefined; readonly tokens?: number | null | undefined },
    reserve: number,
  ): 'requests' | 'tokens' | undefined {
    if (open + settled + 1 > (calls ?? Number.POSITIVE_INFINITY)) return 'requests';
    return reserved + used + reserve > (tokens ?? Number.POSITIVE_INFINITY) ? 'tokens' : undefined;
  }

  private counterOf(subject: string): Counter {
    const counter = this.counted.get(subject) ?? [0, 0, 0, 0];
    this.counted.set(subject, counter);
    return counter;
  }
}
