import type { DomainModule, DomainParts, Host } from '../domain-module.js';
import type { IdentityPorts } from '../identity/domain.js';
import { RateCounter } from '../platform/cluster/rate-counter.js';
import { AuditChain } from './chain/audit-chain.entity.js';
import { AuditCheckpoint } from './chain/audit-checkpoint.entity.js';
import { AuditDigest } from './chain/audit-digest.entity.js';
import { AuditKey } from './chain/audit-key.entity.js';
import { CheckpointReader } from './chain/checkpoint-reader.js';
import { Checkpoints } from './chain/checkpoints.js';
import { AuditRetention } from './chain/retention.js';
import { AuditSealer } from './chain/sealer.js';
import { SealerWatch } from './chain/sealer-watch.js';
import { auditConfig } from './config.js';
import type { AuditConfig } from './config.js';
import { eraseTenantFromAudit, eraseUserFromAudit } from './audit-erasure.js';
import { AuditEntryRow } from './entries/audit-entry.entity.js';
import { AuditLogsResolver } from './entries/audit-logs.resolver.js';
import { AuditLogsService, SEALED_TOPIC, toRanges } from './entries/audit-logs.service.js';
import { Audit1795336550521 } from './migrations/1795336550521-audit.js';
import { AuditVerificationResolver } from './verification/audit-verification.resolver.js';
import { AuditVerificationService } from './verification/audit-verification.service.js';

export { CheckpointReader } from './chain/checkpoint-reader.js';
export { verifyAuditLog } from './verification/verify-audit-log.js';

const SEAL_MS = 500;
const SIGN_MS = 10_000;
const COUNT_MS = 2_000;
/** That one user may ask for. */
const CHECKPOINTS_PER_MINUTE = 10;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** What happened, in chains that show whether somebody has changed them. */
export const audit: DomainModule<typeof auditConfig, Pick<IdentityPorts, 'signer' | 'tenants'>, object> = {
  name: 'audit',
  config: auditConfig,
  entities: [AuditChain, AuditCheckpoint, AuditDigest, AuditEntryRow, AuditKey],
  migrations: [Audit1795336550521],
  create: createAudit,
};

async function createAudit(
  { audit: recorder, config, database, log, secretBox, sharing, topics }: Host<AuditConfig>,
  { signer, tenants }: Pick<IdentityPorts, 'signer' | 'tenants'>,
): Promise<DomainParts<object>> {
  const { dataSource } = database;
  const checkpoints = new Checkpoints({ secretBox, sign: (type, content) => signer.sign(type, content) });
  const sealer = new AuditSealer({
    dataSource,
    secretBox,
    checkpoints,
    log,
    sealed: (entries) => topics.publish(SEALED_TOPIC, toRanges(entries)),
  });
  const retention = new AuditRetention({
    dataSource,
    secretBox,
    checkpoints,
    audit: recorder,
    days: config.auditRetentionDays,
  });
  const watch = new SealerWatch(dataSource);
  const logs = new AuditLogsService({ database, audit: recorder, topics, tenants });
  const verification = new AuditVerificationService({
    dataSource,
    secretBox,
    audit: recorder,
    sealer,
    signed: new CheckpointReader(secretBox),
    checkpoints,
    signatures: new RateCounter('audit-checkpoints', CHECKPOINTS_PER_MINUTE, sharing),
    tenants,
  });
  return {
    resolvers: [new AuditLogsResolver(logs), new AuditVerificationResolver(verification)],
    references: [],
    gauges: [watch.gauge],
    health: { audit: () => watch.check() },
    tasks: [
      { name: 'sealing the audit log', intervalMs: SEAL_MS, run: () => sealer.seal() },
      { name: 'signing the audit log', intervalMs: SIGN_MS, run: () => sealer.sign() },
      { name: 'counting refusals', intervalMs: SIGN_MS, run: () => recorder.recordEndedWindows() },
      { name: 'counting what is not sealed', intervalMs: COUNT_MS, run: () => watch.refresh() },
      { name: 'the clean-up of the audit log', intervalMs: DAY_MS, run: () => retention.prune() },
    ],
    eraseUser: (user, erasure) => eraseUserFromAudit(user, erasure, secretBox),
    eraseTenant: ({ id }, erasure) => eraseTenantFromAudit(id, erasure, { audit: recorder, secretBox }),
    ports: {},
  };
}
