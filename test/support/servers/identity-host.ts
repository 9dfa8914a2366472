import { AuditRecorder } from '../../../src/platform/audit/audit-recorder.js';
import { MemoryTopics } from '../../../src/platform/cluster/topics.js';
import type { Config } from '../../../src/config.js';
import { identity } from '../../../src/identity/domain.js';
import type { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import type { Database } from '../../../src/platform/database/database.js';
import { silentLog } from '../probes/silent-log.js';

/** Identity alone, on a database that is there: without jobs, mails and other domains. */
export function createIdentity(
  config: Config,
  database: Database,
  secretBox: SecretBox,
): ReturnType<typeof identity.create> {
  const sharing = { processes: () => 1 };
  const audit = new AuditRecorder(database.dataSource, secretBox);
  const host = { audit, config, database, log: silentLog, secretBox, sharing, topics: new MemoryTopics() };
  return identity.create(host as unknown as Parameters<typeof identity.create>[0], {});
}
