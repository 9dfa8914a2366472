import type { Logger } from 'pino';
import type { SignInAudit } from '../authentication/sign-in-audit.js';
import type { Client } from '../../access/client.js';
import type { RequestContext } from '../../context.js';
import { Conflict, NotFound, PlatformError, RateLimited, Unauthorized } from '../../errors.js';
import type { RateCounter } from '../../platform/cluster/rate-counter.js';
import type { TokenPair } from '../authentication/auth.types.js';
import { networkOf } from '../../platform/net/client-network.js';
import type { TokenIssuer } from '../authentication/token-issuer.js';
import type { OpenedProvider, ProviderStore } from '../providers/provider-store.js';
import { domainOf } from '../users/email-domain.js';
import { normalizeEmail } from '../users/email.js';
import { hashOf, newSecret } from './browser-cookie.js';
import type { BrowserCookie } from './browser-cookie.js';
import { newBrowserNonce } from './browser-nonce.js';
import type { BrowserProvider, CallbackParameters, CodeGrant } from './code-grant.js';
import { addressOf, externalIdOf, nameOf } from './external-identity.js';
import type { IdTokenVerifier } from './id-token-verifier.js';
import { FLOW_MS } from './sso-flows.js';
import type { Flow, SsoFlows } from './sso-flows.js';
import type { ProvenPerson, SsoLoginService } from './sso-login.service.js';
import { SsoRefusal, withOneRefusal } from './sso-refusal.js';
import type { SsoRedirect } from './sso.types.js';
import type { UsedSsoProofs } from './used-sso-proofs.js';

/** The page that a browser comes back to, on this host whatever it is called. */
const PAGE = '/dashboard';
const CALLBACK_PATH = '/v1/auth/sso/callback';
/** A code (RFC 6749, A.11), but for spaces, which some cut off: it must not be known under two names. */
const CODE = /^[\x21-\x7e]+$/;

interface BrowserSsoParts {
  readonly store: ProviderStore;
  readonly grant: CodeGrant;
  readonly verifier: IdTokenVerifier;
  readonly flows: SsoFlows;
  readonly logins: SsoLoginService;
  readonly usedProofs: UsedSsoProofs;
  readonly tokens: TokenIssuer;
  readonly cookie: BrowserCookie;
  /** How often a network may begin. */
  readonly starts: RateCounter;
  /** Where browsers reach this server; undefined: nobody has said. */
  readonly publicUrl: string | undefined;
  readonly signInAudit: SignInAudit;
  readonly log: Logger;
}

/** What the browser's way needs of a request. */
type BrowserRequest = Client & Pick<RequestContext, 'reply' | 'proof'>;

/** Sign-in by an identity provider, in a browser (docs/single-sign-on.md). It is public, so there is no caller. */
export class BrowserSsoService {
  constructor(private readonly parts: BrowserSsoParts) {}

  /**
   * Begins a sign-in: the address of the provider to which the browser goes. What it says depends on the domain alone,
   * never on whether there is such an account.
   * @throws BadRequest, NotFound where no provider knows the domain, Conflict where the server's own address is not
   * known, or the provider could be mixed up with another one, RateLimited, Unavailable where the provider is away
   */
  async start({ address, reply, proof }: BrowserRequest, email: string): Promise<SsoRedirect> {
    const { store, flows, grant, cookie, starts } = this.parts;
    const normal = normalizeEmail(email);
    const count = await starts.take(networkOf(address));
    if (count.isRefused) throw new RateLimited('Too many sign-ins have begun. Please try again later.', count);
    const provider = await store.findActiveByDomain(domainOf(normal));
    if (!provider || !isForBrowsers(provider)) throw new NotFound('There is no single sign-on for this domain.');
    const [state, nonce, verifier] = [newSecret(), newBrowserNonce(), newSecret()];
    // Another tab of the browser may have begun a sign-in, which needs the same cookie.
    const browserId = cookie.read(proof?.cookie) ?? newSecret();
    const url = await grant.authorizationUrl(provider, this.redirectUri, { state, nonce, verifier }, normal);
    await flows.begin(state, hashOf(browserId), { providerId: provider.id, nonce, verifier });
    reply.setAll({ 'set-cookie': cookie.write(browserId), 'referrer-policy': 'no-referrer' });
    return { url };
  }

  /** Ends a sign-in: the page of this server, with a code where somebody has signed in, or the word that it failed. */
  async finish(request: BrowserRequest, parameters: CallbackParameters): Promise<SsoRedirect> {
    request.reply.set('referrer-policy', 'no-referrer');
    try {
      const code = await this.refusing(request, () => this.codeOf(request.proof?.cookie, parameters));
      return { url: `${PAGE}#code=${code}` };
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      return { url: `${PAGE}#error=sso_failed` };
    }
  }

  /**
   * Opens a session for the browser that has a code.
   * @throws Unauthorized, the same whatever is wrong
   */
  async exchange(request: BrowserRequest, code: string): Promise<TokenPair> {
    const { flows, tokens, cookie } = this.parts;
    const browserHash = cookie.hashOf(request.proof?.cookie) ?? '';
    const pair = await this.refusing(request, async () => {
      const user = await flows.redeemCode(code, browserHash);
      if (!user) throw new SsoRefusal('The code was used before, has expired, or was made for another browser.');
      return tokens.openSession(request, user);
    });
    if (!(await flows.isUnderWay(browserHash))) request.reply.set('set-cookie', cookie.clear());
    return pair;
  }

  /** Turns every refusal into one and the same, and records that there was one. */
  private async refusing<Result>(request: BrowserRequest, signIn: () => Promise<Result>): Promise<Result> {
    try {
      return await withOneRefusal(this.parts.log, signIn);
    } catch (error) {
      if (error instanceof Unauthorized) await this.parts.signInAudit.recordUnknown(request);
      throw error;
    }
  }

  private async codeOf(cookies: string | undefined, parameters: CallbackParameters): Promise<string> {
    const { flows, store, logins, cookie } = this.parts;
    const { state } = parameters;
    const browserHash = cookie.hashOf(cookies);
    const flow = state && browserHash !== undefined ? await flows.take(state, browserHash) : undefined;
    if (!state || browserHash === undefined || !flow)
      throw new SsoRefusal(
        'This browser has not begun this sign-in within the last ten minutes, or it keeps no cookies.',
      );
    const provider = await store.find(flow.providerId);
    if (!provider?.isActive || !isForBrowsers(provider))
      throw new SsoRefusal('The identity provider was disabled meanwhile, or waits for its approval.');
    await this.useCode(parameters.code);
    const person = await this.prove(provider, { state, ...flow }, parameters);
    return flows.issueCode(await logins.accountOf(provider, person), browserHash);
  }

  /**
   * Uses a provider's code up before any provider is sent it. One that sends its browser on to another provider gets that
   * one's code; had it asked for it with the challenge and the nonce of a sign-in of its own, the code would count there.
   * @throws SsoRefusal where it was used before
   */
  private async useCode(code: string | null | undefined): Promise<void> {
    if (typeof code !== 'string') return;
    if (!CODE.test(code)) throw new SsoRefusal('The browser came back with a malformed code.');
    await this.parts.usedProofs.use(hashOf(`code ${code}`), new Date(Date.now() + FLOW_MS));
  }

  private async prove(
    provider: BrowserProvider,
    secrets: Omit<Flow, 'providerId'> & { readonly state: string },
    parameters: CallbackParameters,
  ): Promise<ProvenPerson> {
    const { client_id: audience, tid, domains } = provider.settings;
    const token = await this.parts.grant.redeem(provider, this.redirectUri, secrets, parameters);
    const claims = await this.parts.verifier.verify(provider, token, { audience, nonce: secrets.nonce });
    if (claims.tid !== undefined && claims.tid !== tid)
      throw new SsoRefusal('The id token has another tid than the identity provider has here.');
    const email = addressOf(claims);
    // An issuer whose tokens do not tell the tenant may be shared by everybody.
    if (claims.tid === undefined && !domains.includes(domainOf(email))) {
      throw new SsoRefusal(
        'The id token has no tid, and its address is in none of the domains of the identity provider.',
      );
    }
    return { externalId: externalIdOf(claims), email, username: nameOf(claims) };
  }

  /** The host of a request is whatever its sender wrote. */
  private get redirectUri(): string {
    const { publicUrl } = this.parts;
    if (publicUrl === undefined) {
      throw new Conflict('capability_not_supported', 'Set PUBLIC_URL: browsers are sent back to it.');
    }
    return publicUrl + CALLBACK_PATH;
  }
}

function isForBrowsers(provider: OpenedProvider): provider is BrowserProvider {
  const { settings } = provider;
  return settings.kind === 'sso' && settings.client_id !== undefined && settings.issuer !== undefined;
}
