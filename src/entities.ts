import { ApiToken } from './identity/api-token.entity.js';
import { RefreshToken } from './identity/refresh-token.entity.js';
import { Revocation } from './identity/revocation.entity.js';
import { Session } from './identity/session.entity.js';
import { SigningKey } from './identity/signing-key.entity.js';
import { Tenant } from './identity/tenant.entity.js';
import { User } from './identity/user.entity.js';
import { ModelPolicy } from './inference/models/model-policy.entity.js';
import { StoredBackend } from './inference/backends/stored-backend.entity.js';
import { Call } from './metering/call.entity.js';
import { QuotaCounter } from './metering/quota-counter.entity.js';
import { TenantQuota } from './metering/tenant-quota.entity.js';
import { UsageHour, UsageWatermark } from './metering/usage-hour.entity.js';
import { Identity1763600000000 } from './migrations/1763600000000-identity.js';
import { Metering1763600000001 } from './migrations/1763600000001-metering.js';
import { ApiTokens1763600000002 } from './migrations/1763600000002-api-tokens.js';
import { Backends1763600000003 } from './migrations/1763600000003-backends.js';
import { Ledger1763600000004 } from './migrations/1763600000004-ledger.js';
import { Usage1763600000005 } from './migrations/1763600000005-usage.js';
import { RecoveredCalls1763600000006 } from './migrations/1763600000006-recovered-calls.js';
import { Process } from './platform/process.entity.js';

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
