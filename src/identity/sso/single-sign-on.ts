import type { SignInAudit } from '../authentication/sign-in-audit.js';
import type { Host } from '../../domain-module.js';
import type { HttpConfig } from '../../http/config.js';
import type { PeriodicTask } from '../../platform/async/periodic.js';
import { RateCounter } from '../../platform/cluster/rate-counter.js';
import { isLoopback } from '../../platform/net/loopback.js';
import type { SignInThrottle } from '../authentication/sign-in-throttle.js';
import type { TokenIssuer } from '../authentication/token-issuer.js';
import type { IdentityProviderTest } from '../providers/identity-provider.types.js';
import type { SsoSettings } from '../providers/provider-settings.js';
import type { OpenedProvider, ProviderStore } from '../providers/provider-store.js';
import type { ExternalPeople } from '../users/external-people.js';
import { BrowserCookie } from './browser-cookie.js';
import { BrowserSsoService } from './browser-sso.service.js';
import { CodeGrant } from './code-grant.js';
import { IdTokenVerifier } from './id-token-verifier.js';
import { IssuerClient } from './issuer-client.js';
import { testIssuer } from './issuer-test.js';
import { Issuers } from './issuers.js';
import { SsoFlows } from './sso-flows.js';
import { SsoLoginService } from './sso-login.service.js';
import { SsoResolver } from './sso.resolver.js';
import { UsedSsoProofs } from './used-sso-proofs.js';

const PRUNE_MS = 10 * 60 * 1_000;
/** Of one network in a minute. */
const MAX_STARTS = 300;

/** What single sign-on uses of the rest of identity. */
interface SingleSignOnNeeds {
  readonly store: ProviderStore;
  readonly people: ExternalPeople;
  readonly throttle: SignInThrottle;
  readonly tokens: TokenIssuer;
  readonly signInAudit: SignInAudit;
}

/** What single sign-on adds to identity. */
interface SingleSignOn {
  /** Tries an issuer as a sign-in would; it never throws. */
  readonly test: (provider: OpenedProvider<SsoSettings>) => Promise<IdentityProviderTest>;
  readonly resolvers: readonly [SsoResolver];
  readonly tasks: readonly PeriodicTask[];
}

/** Wires single sign-on. */
export function createSingleSignOn(host: Host<object>, needs: SingleSignOnNeeds): SingleSignOn {
  const { config, database, log, secretBox, sharing } = host;
  const { dataSource } = database;
  const client = new IssuerClient(config);
  const issuers = new Issuers(client);
  const verifier = new IdTokenVerifier(issuers);
  const usedProofs = new UsedSsoProofs(dataSource);
  const flows = new SsoFlows(dataSource, secretBox);
  const logins = new SsoLoginService({ ...needs, dataSource, verifier, usedProofs, log });
  const publicUrl = publicUrlOf(config);
  const browsers = new BrowserSsoService({
    store: needs.store,
    tokens: needs.tokens,
    signInAudit: needs.signInAudit,
    grant: new CodeGrant(issuers, client),
    verifier,
    flows,
    logins,
    usedProofs,
    cookie: new BrowserCookie(publicUrl?.startsWith('https:') ?? false),
    starts: new RateCounter('sso-starts', MAX_STARTS, sharing),
    publicUrl,
    log,
  });
  return {
    test: (provider) => testIssuer(issuers, provider),
    resolvers: [new SsoResolver(logins, browsers)],
    tasks: [
      { name: 'the clean-up of used proofs', intervalMs: PRUNE_MS, run: () => usedProofs.prune() },
      { name: 'the clean-up of single sign-ons', intervalMs: PRUNE_MS, run: () => flows.prune() },
    ],
  };
}

/** Where browsers reach this server: as configured, or where it listens, if that is for this machine alone. */
function publicUrlOf({ publicUrl, host, port, tlsCertFile }: HttpConfig): string | undefined {
  if (publicUrl !== undefined || port === 0 || !isLoopback(host)) return publicUrl;
  const name = host.includes(':') ? `[${host}]` : host;
  return `${tlsCertFile === undefined ? 'http' : 'https'}://${name}:${port}`;
}
