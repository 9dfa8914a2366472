/** What an Idempotency-Key stands for, as the ledger knows it: one call holds it at a time. */
export interface CallClaim {
  readonly id: string;
  /** MACs of the credential and of the content that it came with. */
  readonly fingerprint: string;
}
