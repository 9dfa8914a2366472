import type { Logger } from 'pino';
import { In } from 'typeorm';
import type { DataSource } from 'typeorm';
import { PolledTable } from '../../../platform/cluster/polled-table.js';
import type { EgressRule } from '../../../platform/net/egress-rule.js';
import type { SealedColumn } from '../../../platform/crypto/sealed-column.js';
import type { SecretBox } from '../../../platform/crypto/secret-box.js';
import type { Backend } from '../backend.js';
import type { BackendRegistry } from '../backend-registry.js';
import { createServer } from '../create-server.js';
import type { ServerSettings } from '../server-backend.js';
import { StoredBackend } from './stored-backend.entity.js';
import type { SecretSettings } from './stored-backend.entity.js';

const SEAL_PURPOSE = 'backend';

const KEYS_NOT_SENT =
  "callers' own keys are not sent to this backend: only a sysadmin may allow that, by byok in PATCH /v1/admin/backends/{id}";

/** Where the secrets of backends lie. */
export const sealedBackends: SealedColumn = {
  table: 'backends',
  key: 'id',
  column: 'secrets_sealed',
  purpose: SEAL_PURPOSE,
  context: 'key',
};

interface StoredBackendsParts {
  readonly dataSource: DataSource;
  readonly secretBox: SecretBox;
  readonly registry: BackendRegistry;
  /** Where the backends of tenants may be. */
  readonly tenantRule: EgressRule;
  readonly healthChanged: (backend: Backend) => void;
  readonly log: Logger;
}

/** Keeps the backends of this process equal to those in the database. */
export class StoredBackends {
  private readonly rows = new PolledTable<StoredBackend>({
    keyOf: ({ id }) => id,
    read: (_changedWithinSeconds, known) => this.read(known),
    supersedes: (row, known) => row.revision !== known.revision,
    changed: (row) => this.open(row),
    removed: ({ id }) => this.parts.registry.remove(id),
  });

  constructor(private readonly parts: StoredBackendsParts) {}

  /** Opens what is new, opens again what has changed, and takes away what is gone; one such turn after another. */
  refresh(): Promise<void> {
    return this.rows.refresh();
  }

  /** Seals the settings that nobody gets to see again. */
  seal(id: string, secrets: SecretSettings): Buffer {
    return this.parts.secretBox.seal(SEAL_PURPOSE, Buffer.from(JSON.stringify(secrets)), id);
  }

  /** @throws Error where they were sealed with another secret key */
  unseal({ id, secretsSealed }: StoredBackend): SecretSettings {
    return JSON.parse(this.parts.secretBox.unseal(SEAL_PURPOSE, secretsSealed, id).toString('utf8')) as SecretSettings;
  }

  /** All ids and revisions, so that it is seen what is gone, and the whole of what has changed. */
  private async read(known: ReadonlyMap<string, StoredBackend>) {
    const backends = this.parts.dataSource.getRepository(StoredBackend);
    const stored = await backends.find({ select: { id: true, revision: true } });
    const changed = stored.filter(({ id, revision }) => known.get(id)?.revision !== revision).map(({ id }) => id);
    const rows = changed.length === 0 ? [] : await backends.find({ where: { id: In(changed) }, order: { id: 'ASC' } });
    return { rows, keys: new Set(stored.map(({ id }) => id)) };
  }

  private open(row: StoredBackend): void {
    const { registry, tenantRule, healthChanged, log } = this.parts;
    const { id, tenantId, name, takesKeys: byok } = row;
    if (row.settings.byok && !byok) log.warn({ backend: id, tenant_id: tenantId }, KEYS_NOT_SENT);
    try {
      const secrets = this.unseal(row);
      const options = { name, tenantId, rule: tenantId === null ? undefined : tenantRule, healthChanged };
      const { kind = 'openai' } = row.settings;
      registry.put(createServer({ ...row.settings, ...secrets, byok, id, kind } as ServerSettings, log, options));
    } catch (error) {
      log.error({ err: error, backend: id }, 'a backend cannot be opened');
    }
  }
}
