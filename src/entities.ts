import { ApiToken } from './identity/tokens/api-token.entity.js';
import { RefreshToken } from './identity/sessions/refresh-token.entity.js';
import { Revocation } from './identity/sessions/revocation.entity.js';
import { Session } from './identity/sessions/session.entity.js';
import { SigningKey } from './identity/tokens/signing-key.entity.js';
import { Tenant } from './identity/tenants/tenant.entity.js';
import { User } from './identity/users/user.entity.js';
import { ModelPolicy } from './inference/models/model-policy.entity.js';
import { StoredBackend } from './inference/backends/runtime/stored-backend.entity.js';
import { Call } from './metering/ledger/call.entity.js';
import { QuotaCounter } from './metering/quotas/quota-counter.entity.js';
import { TenantQuota } from './metering/quotas/tenant-quota.entity.js';
import { UsageHour, UsageWatermark } from './metering/usage/usage-hour.entity.js';
import { Identity1763600000000 } from './migrations/1763600000000-identity.js';
import { Metering1763600000001 } from './migrations/1763600000001-metering.js';
import { ApiTokens1763600000002 } from './migrations/1763600000002-api-tokens.js';
import { Backends1763600000003 } from './migrations/1763600000003-backends.js';
import { Ledger1763600000004 } from './migrations/1763600000004-ledger.js';
import { Usage1763600000005 } from './migrations/1763600000005-usage.js';
import { RecoveredCalls1763600000006 } from './migrations/1763600000006-recovered-calls.js';
import { Process } from './platform/cluster/process.entity.js';

/** Every entity class. */
export const entities = [
  ApiToken,
  Call,
  ModelPolicy,
  Process,
  QuotaCounter,
  RefreshToken,
  Revocation,
  Session,
  SigningKey,
  StoredBackend,
  Tenant,
  TenantQuota,
  UsageHour,
  UsageWatermark,
  User,
];

/** Every migration, oldest first. */
export const migrations = [
  Identity1763600000000,
  Metering1763600000001,
  ApiTokens1763600000002,
  Backends1763600000003,
  Ledger1763600000004,
  Usage1763600000005,
  RecoveredCalls1763600000006,
];
