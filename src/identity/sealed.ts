import type { SealedColumn } from '../platform/crypto/sealed-column.js';
import { sealedJobs } from '../platform/jobs/sealed-jobs.js';

/** Where identity keeps what it seals. */
export const sealedIdentity: readonly SealedColumn[] = [
  { table: 'signing_keys', key: 'kid', column: 'private_sealed', purpose: 'signing-key', context: 'key' },
  { table: 'identity_providers', key: 'id', column: 'secrets_sealed', purpose: 'identity-provider', context: 'key' },
  { table: 'sso_flows', key: 'state_hash', column: 'verifier_sealed', purpose: 'sso-flow', context: 'key' },
  sealedJobs('password-reset', 'password-reset'),
  sealedJobs(['erase-user', 'erase-user-again', 'erase-tenant', 'erase-tenant-again'], 'erasure'),
];
