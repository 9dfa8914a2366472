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
import { Identity1795298570623 } from './identity/migrations/1795298570623-identity.js';
import { Inference1795298571233 } from './inference/migrations/1795298571233-inference.js';
import { Metering1795298570928 } from './metering/migrations/1795298570928-metering.js';
import { Platform1795298570319 } from './platform/migrations/1795298570319-platform.js';
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
export const migrations = [Platform1795298570319, Identity1795298570623, Metering1795298570928, Inference1795298571233];
