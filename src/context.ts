import type { PlatformError } from './errors.js';

/** What a user may do beyond using the platform: `admin` in its own tenant, `sysadmin` in all (CONTRACT, section 2). */
export type Privilege = 'user' | 'admin' | 'sysadmin';

/** Who makes a request: the first argument of every service method, never ambient. */
export interface Caller {
  readonly credential: 'jwt';
  readonly userId: string;
  readonly tenantId: string;
  readonly privileges: readonly Privilege[];
  /** Scopes of the token; `*` is all of them. */
  readonly scopes: ReadonlySet<string>;
  /** The token's own id (`jti`). */
  readonly tokenId: string;
  /** The refresh family that the token belongs to (`sid`). */
  readonly sessionId: string;
  readonly userVersion: number;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** Turns a credential into a caller and tells when that caller's session ends. Identity implements it. */
export interface Authenticator {
  /**
   * @param authorization the header as it came
   * @throws Unauthorized with `reason` where the token was ours
   */
  verify(authorization: string): Promise<Caller>;
  /** Calls `ended` once when the session is revoked; the returned function stops watching. */
  watch(caller: Caller, ended: (reason: PlatformError) => void): () => void;
}

/** Response headers that resolvers and services set; applied before the status line. Names in lower case. */
export class Reply {
  readonly headers: Record<string, string> = {};

  set(name: string, value: string): void {
    this.headers[name] = value;
  }

  setAll(headers: Readonly<Record<string, string>>): void {
    Object.assign(this.headers, headers);
  }
}

/** The door through which a request came. */
export type Door = 'rest' | 'graphql' | 'graphql-ws' | 'graphql-sse';

/** Everything about one request that is not the caller's input. */
export interface RequestContext {
  readonly door: Door;
  readonly requestId: string;
  /** The client's address, through trusted proxies only. */
  readonly address: string;
  /** Absent on an anonymous request. */
  readonly caller?: Caller;
  /** Why the credential that was sent did not count; thrown where a caller is needed. */
  readonly credentialError?: PlatformError;
  /**
   * Aborted with a `PlatformError` as reason when nobody waits for the answer any more (`ClientGone`)
   * or the answer must stop (session revoked, server draining).
   */
  readonly signal: AbortSignal;
  readonly reply: Reply;
  /** The REST engine has counted this request before it read the body. */
  limited: boolean;
}
