import type { PlatformError } from '../errors.js';
import type { Client } from './client.js';

/** What a user may do beyond using the platform: `admin` in its own tenant, `sysadmin` in all. */
export type Privilege = 'user' | 'admin' | 'sysadmin';

/** What a token may be used for; `*` is everything. Privileges are asked for on top of it. */
export const SCOPES = [
  'models:read',
  'chat:write',
  'completions:write',
  'responses:write',
  'embeddings:write',
  'translate:write',
  'knowledge:read',
  'knowledge:write',
  'echo:read',
  'echo:write',
  'researcher:read',
  'researcher:write',
  'documents:read',
  'documents:write',
  'quota:read',
  'admin:read',
  'admin:write',
] as const;
/** One of them. */
export type Scope = (typeof SCOPES)[number];

interface AnyPrincipal {
  readonly userId: string;
  readonly tenantId: string;
  /** Those of the user, whatever the token: a token never exceeds its owner. */
  readonly privileges: readonly Privilege[];
  /** Scopes of the token; `*` is all of them. */
  readonly scopes: ReadonlySet<string>;
  /** The token's own id: `jti` of a JWT, or that of the personal access token. */
  readonly tokenId: string;
  readonly userVersion: number;
  /** 32 bytes that only the credential gives: what is kept for its holder alone is sealed with it. */
  readonly answerKey: Buffer;
  /** Unix seconds, with a fraction where the end of a secret has one. */
  readonly expiresAt: number;
}

/** A user who has signed in, and has a JWT access token. */
export interface JwtPrincipal extends AnyPrincipal {
  readonly credential: 'jwt';
  /** The refresh family that the token belongs to: SHA-256 of its `sid`. */
  readonly sessionId: string;
}

/** A user who has a personal access token. */
export interface PatPrincipal extends AnyPrincipal {
  readonly credential: 'pat';
  /** Which of the token's secrets was used: its SHA-256, base64url. */
  readonly secretHash: string;
}

/** Whom a token stands for, whatever is asked for with it. */
export type Principal = JwtPrincipal | PatPrincipal;

/** What tells whether a token still counts, for whoever does later what was asked for with it. */
export type TokenReference = Pick<AnyPrincipal, 'userId' | 'tokenId' | 'userVersion' | 'expiresAt'> &
  (Pick<JwtPrincipal, 'credential' | 'sessionId'> | Pick<PatPrincipal, 'credential' | 'secretHash'>);

/** What may be kept of a principal to ask for its token again. */
export function tokenReferenceOf(principal: Principal): TokenReference {
  const { userId, tokenId, userVersion, expiresAt } = principal;
  const token = { userId, tokenId, userVersion, expiresAt };
  return principal.credential === 'jwt'
    ? { ...token, credential: 'jwt', sessionId: principal.sessionId }
    : { ...token, credential: 'pat', secretHash: principal.secretHash };
}

interface Calling {
  /** Where the request comes from. */
  readonly client: Client;
}

/** A user who has signed in, and calls with a JWT access token. */
export type JwtCaller = JwtPrincipal & Calling;

/** A user who calls with a personal access token. */
export type PatCaller = PatPrincipal & Calling;

/**
 * Who makes a request: the first argument of every service method, never ambient. It is always a user; a service key
 * has none and is in the request's context alone (`requireServiceKey`).
 */
export type Caller = JwtCaller | PatCaller;

/** For whom something is done: a caller, or whoever a job works for. */
export type CallOwner = Pick<Caller, 'tenantId' | 'tokenId' | 'userId'>;

/** A user of a tenant, by whatever it came. */
export type TenantUser = Pick<Caller, 'tenantId' | 'userId'>;

/** Tells whom a credential stands for, and when that session ends. Identity implements it. */
export interface Authenticator {
  /**
   * The user that a JWT or a personal access token stands for.
   * @param authorization the header as it came
   * @throws Unauthorized with `reason` where the token was ours
   */
  verify(authorization: string): Promise<Principal>;
  /** The id of the service key that a header presents; undefined for everything else. */
  serviceKeyOf(authorization: string): string | undefined;
  /** Calls `ended` once when the token or its session is revoked; the returned function stops watching. */
  watch(principal: Principal, ended: (reason: PlatformError) => void): () => void;
}

/** The header with a caller's own key. */
export const BYOK_HEADER = 'x-byok-api-key';

/** A caller's own credential for the company behind a backend; it replaces the configured one for one call. */
export interface ByokKey {
  readonly apiKey: string;
  readonly organization?: string;
}

/** What a request presented to say who sends it. */
export interface Credentials {
  /** Absent on an anonymous request, and on one with a service key. */
  readonly caller?: Caller;
  /** The id of the service key that the request came with; there is no caller then. */
  readonly serviceKeyId?: string;
  /** Why the credential that was sent did not count; thrown where a caller is needed. */
  readonly credentialError?: PlatformError;
  /** The caller's own key for calls of models; never logged, stored or echoed. */
  readonly byok?: ByokKey;
}
