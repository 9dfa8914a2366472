import type { CallClaim } from '../../admission/call-claim.js';
import type { Area } from '../../access/area.js';
import type { Outcome } from '../metering.types.js';

/** Where a call counts: whose it is and in which month. */
export interface CallOwner {
  readonly id: string;
  readonly tenantId: string;
  readonly userId: string;
  /** The first day of the month (UTC) in which it was begun, as in `2026-11-01`. */
  readonly period: string;
}

/** A call that asks to be admitted. */
export interface Intent extends CallOwner {
  readonly tokenId: string;
  readonly requestId: string;
  /** Null: an operation that is here for its claim alone; it is neither metered nor limited. */
  readonly area: Area | null;
  readonly model: string;
  readonly backend: string;
  /** Charged where the process dies before the call has ended. */
  readonly promptTokens: number;
  /** Held of the quota until the call is settled. */
  readonly reservedTokens: number;
  /** Milliseconds of sound, charged as `promptTokens` are. Default: 0. */
  readonly audioMs?: number;
  /** Milliseconds of sound, held as `reservedTokens` are. Default: 0. */
  readonly reservedAudioMs?: number;
  readonly createdAt: Date;
  readonly claim?: CallClaim;
}

/** How a call ended. */
export interface Settlement extends CallOwner {
  readonly state: 'exact' | 'estimated';
  readonly outcome: Outcome;
  /** Told by recovery: it counts only while the call is open, and its own process may still tell the real end. */
  readonly recovered?: boolean;
  /** Undefined: the one of the intent. */
  readonly backend?: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Milliseconds of sound. Default: 0. */
  readonly audioMs?: number;
  readonly durationMs: number;
  /** Whether the answer can be asked for again with the call's claim; otherwise the claim ends here. */
  readonly keepClaim: boolean;
  readonly sealedAnswer?: Buffer;
}

/** The call that holds a claim. */
export interface ClaimHolder {
  readonly state: 'open' | 'exact' | 'estimated';
  readonly fingerprint: string;
}

/** The same, as the database tells it. */
export interface RunningClaim extends ClaimHolder {
  /** The client of the call has left. */
  readonly isUnattended: boolean;
}

/** What became of an intent. `requests`, `tokens` and `audio` name the limit that it would have exceeded. */
export type Verdict =
  | {
      readonly kind: 'admitted';
      /** Whether a limit of tokens is enforced on the user or on the tenant. */
      readonly isLimited: boolean;
    }
  | { readonly kind: 'requests' | 'tokens' | 'audio' }
  | (ClaimHolder & { readonly kind: 'claimed'; readonly sealedAnswer?: Buffer });
