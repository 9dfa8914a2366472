import type { Logger } from 'pino';
import { In } from 'typeorm';
import type { DataSource } from 'typeorm';
import type { EgressRule } from '../../../platform/net/egress-rule.js';
import type { SecretBox } from '../../../platform/crypto/secret-box.js';
import type { Backend } from '../backend.js';
import type { BackendRegistry } from '../backend-registry.js';
import { OpenaiBackend } from '../openai/openai-backend.js';
import { StoredBackend } from './stored-backend.entity.js';
import type { SecretSettings } from './stored-backend.entity.js';

const SEAL_PURPOSE = 'backend';

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
  /** The revision of each that was looked at. */
  private readonly known = new Map<string, number>();
  private turn: Promise<void> = Promise.resolve();

  constructor(private readonly parts: StoredBackendsParts) {}

  /** Opens what is new, opens again what has changed, and takes away what is gone; one such turn after another. */
  sync(): Promise<void> {
    const turn = this.turn.then(() => this.compare());
    this.turn = turn.catch(() => undefined);
    return turn;
  }

  /** Seals the settings that nobody gets to see again. */
  seal(id: string, secrets: SecretSettings): Buffer {
    return this.parts.secretBox.seal(SEAL_PURPOSE, Buffer.from(JSON.stringify(secrets)), id);
  }

  /** @throws Error where they were sealed with another secret key */
  unseal({ id, secretsSealed }: StoredBackend): SecretSettings {
    return JSON.parse(this.parts.secretBox.open(SEAL_PURPOSE, secretsSealed, id).toString('utf8')) as SecretSettings;
  }

  private async compare(): Promise<void> {
    const rows = this.parts.dataSource.getRepository(StoredBackend);
    const stored = await rows.find({ select: { id: true, revision: true } });
    const ids = new Set(stored.map(({ id }) => id));
    const changed = stored.filter(({ id, revision }) => this.known.get(id) !== revision);
    const changes = changed.length === 0 ? [] : await rows.findBy({ id: In(changed.map(({ id }) => id)) });
    for (const id of this.known.keys()) if (!ids.has(id)) this.remove(id);
    for (const row of changes.toSorted((a, b) => (a.id < b.id ? -1 : 1))) this.put(row);
  }

  private put(row: StoredBackend): void {
    const { registry, tenantRule, healthChanged, log } = this.parts;
    const { id, tenantId, name, revision } = row;
    this.known.set(id, revision);
    try {
      const settings = { ...row.settings, ...this.unseal(row), id, kind: 'openai' } as const;
      const rule = tenantId === null ? undefined : tenantRule;
      registry.put(new OpenaiBackend(settings, log, { name, tenantId, rule, healthChanged }));
    } catch (error) {
      log.error({ err: error, backend: id }, 'a backend cannot be opened');
    }
  }

  private remove(id: string): void {
    this.known.delete(id);
    this.parts.registry.remove(id);
  }
}
