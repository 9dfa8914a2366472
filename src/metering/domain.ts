import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Domain } from '../graph/domain.js';
import type { Database } from '../platform/database.js';
import type { ProcessLease } from '../platform/process-lease.js';
import type { Redis } from '../platform/redis.js';
import { RateLimitsService } from './rate-limits.js';
import type { SealedStore } from '../platform/sealed-store.js';
import type { SecretBox } from '../platform/secret-box.js';
import { IdempotencyService } from './idempotency.service.js';
import { Ledger } from './ledger.js';
import { LedgerRecovery } from './ledger-recovery.js';
import { MeteringService } from './metering.service.js';
import type { Topics } from '../platform/topics.js';
import { QuotaChanges } from './quota-changes.js';
import { UsageKeeping } from './usage-keeping.js';
import { QuotaResolver } from './quota.resolver.js';
import { QuotaService } from './quota.service.js';
import { UsageCallsService } from './usage-calls.service.js';
import { UsageResolver } from './usage.resolver.js';
import { UsageService } from './usage.service.js';
import { TenantQuotaResolver } from './tenant-quota.resolver.js';
import { TenantQuotasService } from './tenant-quotas.service.js';
import { TokenLimits } from './token-limits.js';

export { verifyLedger } from './ledger-verification.js';

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
}: MeteringDependencies): Promise<Metering> {
  const userTokens = config.quotaTokensPerMonth;
  const ledger = new Ledger(database, { processId: lease.id, userTokens }, log);
  const quotas = new QuotaService(database.dataSource, userTokens);
  const changes = new QuotaChanges(topics, quotas);
  const sharing = { redis, processes: () => lease.alive };
  const limits = new RateLimitsService({ config, sharing, processId: lease.id, dataSource: database.dataSource });
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
  const keeping = new UsageKeeping(database, config.usageRetention, log);
  keeping.start();
  const recovery = new LedgerRecovery({ database, ledger, lease, log });
  await recovery.start();
  return {
    name: 'metering',
    resolvers: [
      new QuotaResolver(quotas, changes),
      new UsageResolver(new UsageCallsService(database.dataSource), new UsageService(database.dataSource)),
      new TenantQuotaResolver(new TenantQuotasService(database.dataSource, userTokens, tokenLimits)),
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
