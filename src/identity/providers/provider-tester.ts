import type { IdentityProviderTest } from './identity-provider.types.js';
import type { LdapSettings, ProviderKind, SsoSettings } from './provider-settings.js';
import type { OpenedProvider } from './provider-store.js';

/** Tries a provider of one kind as a sign-in would; it never throws. */
export type KindTester<Settings extends LdapSettings | SsoSettings> = (
  provider: OpenedProvider<Settings>,
) => Promise<IdentityProviderTest>;

/** What tries the providers of each kind. */
export interface KindTesters {
  readonly ldap: KindTester<LdapSettings>;
  readonly sso: KindTester<SsoSettings>;
}

/** Tries a provider by what knows its kind. */
export function testProvider(testers: KindTesters, provider: OpenedProvider): Promise<IdentityProviderTest> {
  const tester = testers[provider.settings.kind satisfies ProviderKind] as KindTester<LdapSettings | SsoSettings>;
  return tester(provider);
}
