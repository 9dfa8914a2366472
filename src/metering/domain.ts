import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Domain } from '../graph/domain.js';
import type { TenantDirectory } from '../identity/domain.js';
import type { Database } from '../platform/database/database.js';
import type { ProcessLease } from '../platform/cluster/process-lease.js';
import type { Redis } from '../platform/redis/redis.js';
import { RateLimitsService } from './limits/rate-limits.service.js';
import type { SealedStore } from '../platform/cluster/sealed-store.js';
import type { SecretBox } from '../platform/crypto/secret-box.js';
import { IdempotencyService } from './ledger/idempotency.service.js';
import { Ledger } from './ledger/ledger.js';
import { LedgerRecovery } from './ledger/ledger-recovery.js';
import { MeteringService } from './ledger/metering.service.js';
import type { Topics } from '../platform/cluster/topics.js';
import { QuotaNotifier } from './quotas/quota-notifier.js';
import { UsageMaintenance } from './usage/usage-maintenance.js';
import { QuotaResolver } from './quotas/quota.resolver.js';
import { QuotaService } from './quotas/quota.service.js';
import { UsageCallsService } from './usage/usage-calls.service.js';
import { UsageResolver } from './usage/usage.resolver.js';
import { UsageService } from './usage/usage.service.js';
import { TenantQuotaResolver } from './quotas/tenant-quota.resolver.js';
import { TenantQuotasService } from './quotas/tenant-quotas.service.js';
import { TokenLimits } from './quotas/token-limits.js';

export { verifyLedger } from './ledger/ledger-verification.js';

/** What metering gives to the other domains. */
export interface Metering extends Domain {
  readonly calls: MeteringService;
  readonly idempotency: IdempotencyService;
  readonly limits: RateLimitsService;
  /** Writes what is open and stops. */
  close(): Promise<void>;
}

interface MeteringDependencies {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly lease: ProcessLease;
  readonly secretBox: SecretBox;
  /** Where answers are kept that are told again. */
  readonly store: SealedStore;
  /** What replicas count together; undefined: each counts for itself. */
  readonly redis?: Redis;
  readonly topics: Topics;
  readonly tenants: TenantDirectory;
}

/** Wires the metering domain: the ledger of calls, the quotas that it holds, and what is read from it. */
export async function createMetering({
  config,
  log,
  database,
  lease,
  secretBox,
  store,
  redis,
  topics,
  tenants,
}: MeteringDependencies): Promise<Metering> {
  const userTokens = config.quotaTokensPerMonth;
  const ledger = new Ledger(database, { processId: lease.id, userTokens }, log);
  const quotas = new QuotaService(database.dataSource, userTokens);
  const changes = new QuotaNotifier(topics, quotas);
  const sharing = { redis, processes: () => lease.alive };
  const limits = new RateLimitsService({ config, sharing, processId: lease.id, tenants });
  const tokenLimits = new TokenLimits(database.dataSource, userTokens);
  const tokensPerMediaPart = config.reservedTokensPerMediaPart;
  const calls = new MeteringService({
    ledger,
    limits,
    tokenLimits,
    tokensPerMediaPart,
    settled: changes.settled,
    log,
  });
  const keeping = new UsageMaintenance(database, config.usageRetention, log);
  keeping.start();
  const recovery = new LedgerRecovery({ database, ledger, lease, log });
  await recovery.start();
  return {
    name: 'metering',
    resolvers: [
      new QuotaResolver(quotas, changes),
      new UsageResolver(new UsageCallsService(database.dataSource), new UsageService(database.dataSource)),
      new TenantQuotaResolver(new TenantQuotasService(database.dataSource, tenants, userTokens, tokenLimits)),
    ],
    references: [],
    calls,
    limits,
    idempotency: new IdempotencyService({ secretBox, ledger, store, log }),
    async close() {
      changes.close();
      await Promise.all([keeping.close(), recovery.close()]);
      await ledger.close();
    },
  };
}
