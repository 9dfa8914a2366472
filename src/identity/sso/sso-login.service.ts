import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { SignInAudit } from '../authentication/sign-in-audit.js';
import type { Client } from '../../access/client.js';
import type { PresentedProof } from '../../context.js';
import type { TokenPair } from '../authentication/auth.types.js';
import type { SignInThrottle } from '../authentication/sign-in-throttle.js';
import type { TokenIssuer } from '../authentication/token-issuer.js';
import type { SsoSettings } from '../providers/provider-settings.js';
import type { OpenedProvider, ProviderStore } from '../providers/provider-store.js';
import { ssoAccountName } from '../users/account-identifier.js';
import { findPerson } from '../users/external-people.js';
import type { ExternalPeople } from '../users/external-people.js';
import type { User } from '../users/user.entity.js';
import { isBrowserNonce } from './browser-nonce.js';
import { externalIdOf, isPlainText, nameOf, requireText, toAddress } from './external-identity.js';
import { fingerprintOf, uselessAfter } from './id-token-verifier.js';
import type { IdTokenVerifier } from './id-token-verifier.js';
import { checkProxySignature } from './proxy-signature.js';
import type { ClaimedPerson } from './proxy-signature.js';
import { SsoRefusal, withOneRefusal } from './sso-refusal.js';
import type { UsedSsoProofs } from './used-sso-proofs.js';

/** Somebody who was proven to be who they say. */
export interface ProvenPerson {
  readonly externalId: string;
  readonly email: string;
  /** Undefined: the proof does not tell. */
  readonly username?: string;
}

interface SsoLoginParts {
  readonly dataSource: DataSource;
  readonly store: ProviderStore;
  readonly verifier: IdTokenVerifier;
  readonly usedProofs: UsedSsoProofs;
  readonly people: ExternalPeople;
  readonly throttle: SignInThrottle;
  readonly tokens: TokenIssuer;
  readonly signInAudit: SignInAudit;
  readonly log: Logger;
}

/** Sign-in by the proof of an identity provider (docs/single-sign-on.md). It is public, so there is no caller. */
export class SsoLoginService {
  constructor(private readonly parts: SsoLoginParts) {}

  /**
   * Opens a session for somebody who has a proof: an id token, or the signature of a trusted proxy.
   * @throws Unauthorized, the same whatever is wrong; RateLimited after too many failures; Unavailable where the
   * issuer's keys cannot be had
   */
  async login(
    client: Client,
    proof: PresentedProof,
    person: ClaimedPerson,
    idToken: string | null | undefined,
  ): Promise<TokenPair> {
    const { throttle, signInAudit, log } = this.parts;
    const account = ssoAccountName(person.tid, person.oid);
    const signIn = (): Promise<TokenPair> => this.signIn(client, proof, person, idToken);
    const presented = idToken ?? proof.signature ?? proof.bearer;
    const attempt = () => throttle.attemptProof(presented, client.address, () => withOneRefusal(log, signIn));
    return signInAudit.attempt(client, account, () => this.findUser(person), attempt);
  }

  /**
   * The account of somebody who was proven to be who they say; the first time it is made.
   * @throws Unauthorized for those who may not sign in
   */
  async accountOf(provider: OpenedProvider<SsoSettings>, { externalId, email, username }: ProvenPerson): Promise<User> {
    const { dataSource, people } = this.parts;
    // Who signs in by a proof without a name keeps the one that an earlier proof has told.
    const known = username === undefined ? await findPerson(dataSource.manager, provider, externalId) : null;
    const signInName = ssoAccountName(provider.settings.tid, externalId);
    return people.signIn(provider, { externalId, email, signInName, username: username ?? known?.username ?? email });
  }

  /** The account that somebody claims to be, proven or not. */
  private async findUser({ oid, tid }: ClaimedPerson): Promise<User | null> {
    const { dataSource, store } = this.parts;
    if (![oid, tid].every(isPlainText)) return null;
    const provider = await store.findIssuer(tid);
    return provider ? findPerson(dataSource.manager, provider, oid) : null;
  }

  private async signIn(
    client: Client,
    { bearer, signature }: PresentedProof,
    person: ClaimedPerson,
    idToken: string | null | undefined,
  ): Promise<TokenPair> {
    for (const text of [person.oid, person.tid, person.upn]) requireText(text);
    const email = toAddress(person.upn);
    const provider = await this.parts.store.findIssuer(person.tid);
    if (!provider) throw new SsoRefusal('No active identity provider has this tid.');
    // A proxy may pass on whatever else its client has sent as a bearer.
    const token = idToken ?? (signature === undefined ? bearer : undefined);
    const username =
      token === undefined
        ? await this.proveBySignature(provider, signature, person)
        : await this.proveByToken(provider, token, person, email);
    const user = await this.accountOf(provider, { externalId: person.oid, email, username });
    return this.parts.tokens.openSession(client, user);
  }

  private async proveByToken(
    provider: OpenedProvider<SsoSettings>,
    token: string,
    { oid, tid }: ClaimedPerson,
    email: string,
  ): Promise<string | undefined> {
    const { verifier, usedProofs } = this.parts;
    const { audience, client_id: clientId } = provider.settings;
    const claims = await verifier.verify(provider, token, { audience: audience ?? clientId ?? '' });
    // Another provider may have got it for the code of a browser that it has sent on to this one.
    if (isBrowserNonce(claims.nonce))
      throw new SsoRefusal('The id token was made for a sign-in by a browser, and is no proof for anybody else.');
    const isSame =
      claims.tid === tid &&
      externalIdOf(claims) === oid &&
      toAddress(claims.upn ?? claims.preferred_username) === email;
    if (!isSame) throw new SsoRefusal('The id token has another tid, oid or upn than the request.');
    await usedProofs.use(fingerprintOf(token), uselessAfter(claims));
    return nameOf(claims);
  }

  /** The proxy tells no name. */
  private async proveBySignature(
    { id, settings: { proxy_secret: secret } }: OpenedProvider<SsoSettings>,
    signature: string | undefined,
    person: ClaimedPerson,
  ): Promise<undefined> {
    if (signature === undefined || secret === undefined)
      throw new SsoRefusal(
        'There is no proof: neither an id token, nor a signature of a proxy that has a proxy_secret here.',
      );
    const checked = checkProxySignature({ id, secret }, signature, person);
    await this.parts.usedProofs.use(checked.fingerprint, checked.uselessAfter);
  }
}
