import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Domain } from '../graph/domain.js';
import type { Database } from '../platform/database.js';
import { CallWriter } from './call-writer.js';
import { MeteringService } from './metering.service.js';
import { QuotaResolver } from './quota.resolver.js';
import { QuotaService } from './quota.service.js';

/** What metering gives to the other domains. */
export interface Metering extends Domain {
  readonly calls: MeteringService;
  /** Writes what is open and stops. */
  close(): Promise<void>;
}

interface MeteringDependencies {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
}

/** Wires the metering domain: records of calls, and the quota that is read from them. */
export function createMetering({ config, log, database }: MeteringDependencies): Metering {
  const writer = new CallWriter(database, log);
  const quotas = new QuotaService(database.dataSource, config.quotaTokensPerMonth);
  return {
    name: 'metering',
    resolvers: [new QuotaResolver(quotas)],
    references: [],
    calls: new MeteringService(writer),
    close: () => writer.close(),
  };
}
