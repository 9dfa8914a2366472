import type { DataSource, EntityManager } from 'typeorm';
import type { SecretBox } from '../../platform/crypto/secret-box.js';
import { IdentityProvider } from './identity-provider.entity.js';
import { ProviderDomain } from './provider-domain.entity.js';
import { SECRET_SETTINGS } from './provider-settings.js';
import type { LdapSettings, OpenSettings, ProviderSettings, SecretSettings, SsoSettings } from './provider-settings.js';

const PURPOSE = 'identity-provider';

/** An identity provider with its secrets, as it is used. */
export interface OpenedProvider<Settings extends ProviderSettings = ProviderSettings> {
  readonly id: string;
  readonly tenantId: string;
  /** Whether its addresses may be private: a sysadmin has looked at them. */
  readonly approved: boolean;
  /** Whether people may sign in by it. */
  readonly isActive: boolean;
  /** Counts the changes of its settings. */
  readonly revision: number;
  readonly settings: Settings;
}

/** Reads identity providers for those who sign people in by them. */
export class ProviderStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secretBox: SecretBox,
  ) {}

  /** The provider that knows the people of a domain, if it is active. */
  async findActiveByDomain(domain: string): Promise<OpenedProvider | undefined> {
    const rows = this.dataSource.getRepository(ProviderDomain);
    const found = await rows.findOne({ where: { domain }, relations: { provider: true } });
    return this.active(found?.provider);
  }

  /** The directory of a domain, if it is active. */
  async findDirectory(domain: string): Promise<OpenedProvider<LdapSettings> | undefined> {
    const provider = await this.findActiveByDomain(domain);
    return provider && isLdap(provider) ? provider : undefined;
  }

  /** The issuer of the proofs that name a tenant of its own, if it is active. */
  async findIssuer(tid: string): Promise<OpenedProvider<SsoSettings> | undefined> {
    const provider = this.active(await this.dataSource.getRepository(IdentityProvider).findOneBy({ tid }));
    return provider && isSso(provider) ? provider : undefined;
  }

  /** A provider, active or not. */
  async find(id: string, tx: EntityManager = this.dataSource.manager): Promise<OpenedProvider | undefined> {
    const row = await tx.findOneBy(IdentityProvider, { id });
    return row ? this.open(row) : undefined;
  }

  /** @throws Error where its secrets were sealed with another secret key */
  open(row: IdentityProvider): OpenedProvider {
    const { id, tenantId, approved, enabled, revision } = row;
    const settings = { ...row.settings, ...this.unseal(row) } as ProviderSettings;
    return { id, tenantId, approved, isActive: approved && enabled, revision, settings };
  }

  /** Divides settings into what may be shown and what is sealed. */
  seal(id: string, settings: ProviderSettings): { settings: OpenSettings; secretsSealed: Buffer } {
    const open: Record<string, unknown> = { ...settings };
    const secrets: Record<string, unknown> = {};
    for (const name of SECRET_SETTINGS) {
      secrets[name] = open[name];
      delete open[name];
    }
    const secretsSealed = this.secretBox.seal(PURPOSE, Buffer.from(JSON.stringify(secrets)), id);
    return { settings: open as unknown as OpenSettings, secretsSealed };
  }

  private unseal({ id, secretsSealed }: IdentityProvider): SecretSettings {
    return JSON.parse(this.secretBox.unseal(PURPOSE, secretsSealed, id).toString('utf8')) as SecretSettings;
  }

  private active(row: IdentityProvider | null | undefined): OpenedProvider | undefined {
    return row?.approved && row.enabled ? this.open(row) : undefined;
  }
}

function isLdap(provider: OpenedProvider): provider is OpenedProvider<LdapSettings> {
  return provider.settings.kind === 'ldap';
}

function isSso(provider: OpenedProvider): provider is OpenedProvider<SsoSettings> {
  return provider.settings.kind === 'sso';
}
