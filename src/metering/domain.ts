import type { DomainModule, DomainParts, Host } from '../domain-module.js';
import type { TenantDirectory } from '../identity/domain.js';
import type { BlobOwner, StorageLimits } from '../platform/blobs/blob.types.js';
import { meteringConfig } from './config.js';
import type { MeteringConfig } from './config.js';
import { Call } from './ledger/call.entity.js';
import { RateLimitsService } from './limits/rate-limits.service.js';
import { IdempotencyService } from './ledger/idempotency.service.js';
import { Ledger } from './ledger/ledger.js';
import { LedgerErasure } from './ledger/ledger-erasure.js';
import { LedgerRecovery } from './ledger/ledger-recovery.js';
import { MeteringService } from './ledger/metering.service.js';
import { Metering1795298570928 } from './migrations/1795298570928-metering.js';
import { StorageLimits1795388650054 } from './migrations/1795388650054-storage-limits.js';
import { AudioSeconds1795468600000 } from './migrations/1795468600000-audio-seconds.js';
import { UnattendedCalls1795730400000 } from './migrations/1795730400000-unattended-calls.js';
import { QuotaCounter } from './quotas/quota-counter.entity.js';
import { QuotaNotifier } from './quotas/quota-notifier.js';
import { UsageHour, UsageWatermark } from './usage/usage-hour.entity.js';
import { UsageMaintenance } from './usage/usage-maintenance.js';
import { QuotaResolver } from './quotas/quota.resolver.js';
import { QuotaLeft } from './quotas/quota-left.js';
import { QuotaService } from './quotas/quota.service.js';
import { UsageCallsService } from './usage/usage-calls.service.js';
import { UsageResolver } from './usage/usage.resolver.js';
import { UsageService } from './usage/usage.service.js';
import { TenantQuota } from './quotas/tenant-quota.entity.js';
import { TenantQuotaResolver } from './quotas/tenant-quota.resolver.js';
import { TenantQuotasService } from './quotas/tenant-quotas.service.js';

export { verifyLedger } from './ledger/ledger-verification.js';

const ROLL_UP_MS = 30_000;
const PURGE_MS = 10 * 60_000;
const RECOVERY_MS = 2_000;

/** The ports of earlier domains that metering uses. */
interface MeteringNeeds {
  readonly tenants: TenantDirectory;
}

/** What metering gives to later domains and to the transports. */
export interface MeteringPorts {
  /** Where calls of models are recorded. */
  readonly calls: MeteringService;
  readonly idempotency: IdempotencyService;
  readonly limits: RateLimitsService;
  /** How much a tenant and a user may store, for `Blobs.write`; null where nothing is refused. */
  storageLimits(owner: BlobOwner): Promise<StorageLimits>;
  /** @throws QuotaExceeded as `QuotaLeft.requireAudio` does */
  requireAudioQuota(owner: BlobOwner): Promise<void>;
  /** To be called when what a user stores has changed: it is told to whoever watches its quota. */
  storageChanged(userId: string): void;
}

/** The ledger of calls, the quotas that it holds, and what is read from it. */
export const metering: DomainModule<typeof meteringConfig, MeteringNeeds, MeteringPorts> = {
  name: 'metering',
  config: meteringConfig,
  entities: [Call, QuotaCounter, TenantQuota, UsageHour, UsageWatermark],
  migrations: [
    Metering1795298570928,
    StorageLimits1795388650054,
    AudioSeconds1795468600000,
    UnattendedCalls1795730400000,
  ],
  create: createMetering,
};

async function createMetering(
  host: Host<MeteringConfig>,
  { tenants }: MeteringNeeds,
): Promise<DomainParts<MeteringPorts>> {
  const { audit, config, log, database, lease, secretBox, sharing, store, topics } = host;
  const { dataSource } = database;
  const userTokens = config.quotaTokensPerMonth;
  const ledger = new Ledger(database, { processId: lease.id, userTokens }, log);
  const quotas = new QuotaService(dataSource, userTokens);
  const changes = new QuotaNotifier(topics, quotas);
  const limits = new RateLimitsService({ config, sharing, processId: lease.id, tenants });
  const left = new QuotaLeft(dataSource, { userTokens, requestsPerMinute: limits.requestsPerMinute });
  const calls = new MeteringService({
    ledger,
    limits,
    tokensPerMediaPart: config.reservedTokensPerMediaPart,
    settled: changes.changed,
    log,
  });
  const retention = { callsDays: config.usageCallsRetentionDays, hoursDays: config.usageHoursRetentionDays };
  const maintenance = new UsageMaintenance(database, retention);
  const recovery = new LedgerRecovery({ database, ledger, lease, log });
  await recovery.recover();
  return {
    resolvers: [
      new QuotaResolver(quotas, changes),
      new UsageResolver(new UsageCallsService(database), new UsageService(database)),
      new TenantQuotaResolver(new TenantQuotasService(dataSource, tenants, userTokens, audit)),
    ],
    references: [],
    tasks: [
      { name: 'counting usage into hours', intervalMs: ROLL_UP_MS, run: () => maintenance.rollUp() },
      { name: 'deleting old usage', intervalMs: PURGE_MS, run: () => maintenance.purgeExpired() },
      { name: 'settling the calls of dead processes', intervalMs: RECOVERY_MS, run: () => recovery.recover() },
    ],
    eraseUser: new LedgerErasure(dataSource).eraseUser,
    ports: {
      calls,
      limits,
      idempotency: new IdempotencyService({ secretBox, ledger, store, log }),
      storageLimits: (owner) => quotas.storageLimits(owner),
      requireAudioQuota: (owner) => left.requireAudio(owner),
      storageChanged: changes.changed,
    },
    async close() {
      changes.close();
      await ledger.close();
    },
  };
}
