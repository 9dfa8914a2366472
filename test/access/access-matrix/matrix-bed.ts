import { randomBytes } from 'node:crypto';
import { AuditRecorder } from '../../../src/platform/audit/audit-recorder.js';
import { SCOPES } from '../../../src/access/caller.js';
import type { Scope } from '../../../src/access/caller.js';
import { newSid, sessionIdOf } from '../../../src/identity/sessions/session-secret.js';
import { Session } from '../../../src/identity/sessions/session.entity.js';
import { AccessTokens, tokenRules } from '../../../src/identity/tokens/access-token.js';
import { issueSecret } from '../../../src/identity/tokens/api-token-format.js';
import { ApiToken } from '../../../src/identity/tokens/api-token.entity.js';
import { SigningKeysService } from '../../../src/identity/tokens/signing-keys.service.js';
import type { User } from '../../../src/identity/users/user.entity.js';
import { openSecretBox } from '../../../src/platform/crypto/open-secret-box.js';
import type { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import { newId } from '../../../src/platform/ids.js';
import { defaultTenantId, PASSWORD } from '../../support/builders/accounts.js';
import { cheapHash } from '../../support/builders/cheap-hash.js';
import { signClaims } from '../../support/probes/forgery.js';
import { startPlatform } from '../../support/servers/platform.js';
import { addressOf, startScriptedSearxng } from '../../support/servers/scripted-search.js';
import type { Platform } from '../../support/servers/platform.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { startSpeechBackend } from '../../support/servers/speech-backend.js';
import { addSsoProvider, SsoIssuer } from '../../support/servers/sso-issuer.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Of the one identity provider by which people can sign in. */
const SSO_DOMAIN = 'contoso.example';

/** The credentials that are the same for every operation. */
interface FixedCredentials {
  readonly expired: string;
  readonly revoked: string;
  readonly service: string;
  readonly sysadmin: string;
}

/** Whose something is. */
export interface Owner {
  readonly tenantId: string;
  /** Left out where it belongs to nobody but the tenant. */
  readonly userId?: string;
  /** Whether the administrators of the tenant have no business with it either. */
  readonly isPrivate?: boolean;
}

/** A platform whose users, sessions and tokens are written straight into its database, since thousands are needed. */
export class MatrixBed {
  /** Whose each id and address is, in whichever world. */
  readonly owners = new Map<string, Owner>();
  private readonly withoutScope = new Map<Scope | undefined, Promise<string>>();

  private constructor(
    readonly platform: Platform,
    readonly credentials: FixedCredentials,
    /** Of `PASSWORD`. */
    readonly passwordHash: string,
    /** Whose tokens lack a scope. */
    private readonly owner: { readonly id: string; readonly tenantId: string },
    private readonly accessTokens: AccessTokens,
    private readonly secretBox: SecretBox,
    private readonly servers: readonly { close(): Promise<void> }[],
  ) {}

  static async start(): Promise<MatrixBed> {
    const { key, env } = newServiceKey();
    const searxng = await startScriptedSearxng();
    // What the programs of a machine transcribe is otherwise on each.
    // Documents are translated by a chat model; that of the bed is not there, and what is sent has no text for it.
    const chat = { id: 'chat', kind: 'openai', base_url: 'http://127.0.0.1:1024/v1', models: ['translator'] };
    const speech = await startSpeechBackend({}, [chat]);
    const platform = await startPlatform({
      ...env,
      SEARXNG_URL: addressOf(searxng),
      BACKENDS_FILE: speech.path,
      EGRESS_ALLOW: '127.0.0.0/8',
      PUBLIC_URL: 'https://ai.example.com',
      RATE_LIMIT_REQUESTS_PER_MINUTE: '0',
      PREVIEW_DOCUMENT_TRANSLATION: 'true',
    });
    const issuer = await SsoIssuer.start();
    await addSsoProvider(platform, issuer, { domains: [SSO_DOMAIN], client_secret: 'the secret of the client' });
    const { dataSource } = platform.app.database;
    const secretBox = await openSecretBox(platform.config, dataSource, []);
    const keys = new SigningKeysService(
      dataSource,
      secretBox,
      platform.config.signingKeyDays,
      new AuditRecorder(dataSource, secretBox),
    );
    await keys.refresh();
    const tokens = new AccessTokens(keys, tokenRules(platform.config.publicUrl));
    const { userId: id, ...credentials } = await makeCredentials(platform, key);
    const owner = { id, tenantId: await defaultTenantId(platform) };
    return new MatrixBed(platform, credentials, cheapHash(PASSWORD), owner, tokens, secretBox, [
      issuer,
      searxng,
      speech,
    ]);
  }

  /** A name that nothing else has. */
  newName(): string {
    return `n${randomBytes(8).toString('hex')}`;
  }

  /** An access token of a session. */
  sign(user: User, sid: string): string {
    return this.accessTokens.sign(user, sid);
  }

  /** What is stored of a code that confirms an address. */
  hashOfCode(userId: string, code: string): Buffer {
    return this.secretBox.mac('confirmation-code', userId, code);
  }

  /** A sysadmin's personal access token that lacks a scope and nothing else; without one it has a harmless scope. */
  tokenWithout(scope: Scope | undefined): Promise<string> {
    const scopes = scope === undefined ? ['echo:read'] : SCOPES.filter((other) => other !== scope);
    const known = this.withoutScope.get(scope);
    if (known) return known;
    const made = this.addApiToken(this.owner, scopes).then(({ token }) => token);
    this.withoutScope.set(scope, made);
    return made;
  }

  /** Adds a personal access token. */
  async addApiToken(
    { id: userId, tenantId }: Pick<User, 'id' | 'tenantId'>,
    scopes: readonly string[],
  ): Promise<{ readonly id: string; readonly token: string }> {
    const id = newId('tok');
    const { token, secretHash } = issueSecret(id);
    const now = Date.now();
    const times = { createdAt: new Date(now), expiresAt: new Date(now + 30 * DAY_MS) };
    const unset = { previousHash: null, previousExpiresAt: null, lastUsedAt: null, rotatedAt: null, revokedAt: null };
    const row = { id, userId, tenantId, name: 'Test token', scopes: [...scopes], secretHash, ...times, ...unset };
    await this.platform.app.database.dataSource.getRepository(ApiToken).insert(row);
    return { id, token };
  }

  /** Begins a session for each of the users; answers their secrets in the same order. */
  async addSessions(users: readonly User[]): Promise<string[]> {
    const now = new Date();
    const sids = users.map(() => newSid());
    const rows = users.map(({ id: userId, tenantId }, index) => {
      const unset = { ip: '127.0.0.1', userAgent: 'matrix', endedAt: null };
      return { id: sessionIdOf(sids[index] as string), userId, tenantId, createdAt: now, lastUsedAt: now, ...unset };
    });
    await this.platform.app.database.dataSource.getRepository(Session).insert(rows);
    return sids;
  }

  async close(): Promise<void> {
    await this.platform.close();
    await Promise.all(this.servers.map((server) => server.close()));
  }
}

/** Those that do not count were a sysadmin's: it is not their user that is refused. */
async function makeCredentials(platform: Platform, service: string): Promise<FixedCredentials & { userId: string }> {
  const { access_token: sysadmin, user } = await platform.login();
  const { access_token: revoked } = await platform.login();
  await platform.request('POST', '/v1/auth/logout', { body: { access_token: revoked } });
  const now = Math.floor(Date.now() / 1_000);
  const expired = await signClaims(platform, sysadmin, { iat: now - 7_200, exp: now - 3_600 });
  return { sysadmin, revoked, expired, service, userId: user.id };
}
