/**
 * Why a directory could not be asked: `unreachable` (no connection, or not where it may go), `tls` (no trust), `timeout`,
 * `protocol` (what it says makes no sense, or is too much), `result` (it refuses), `settings` (they cannot be used).
 */
export type DirectoryFailureKind = 'unreachable' | 'tls' | 'timeout' | 'protocol' | 'result' | 'settings';

/** The error of a directory that could not be asked, in words for its administrator; it names no address and nobody. */
export class DirectoryFailure extends Error {
  override readonly name = 'DirectoryFailure';

  /** @param detail the LDAP result code (RFC 4511, appendix A) of the kind `result`, or that of a system error */
  constructor(
    readonly kind: DirectoryFailureKind,
    message: string,
    readonly detail?: number | string,
  ) {
    super(message);
  }

  /** What may stand in a log. */
  get facts(): { readonly failure: DirectoryFailureKind; readonly code: number | string | undefined } {
    return { failure: this.kind, code: this.detail };
  }
}

/** The result codes of LDAP that somebody acts on. */
export const LDAP_RESULT = {
  success: 0,
  sizeLimitExceeded: 4,
  constraintViolation: 19,
  noSuchObject: 32,
  invalidDnSyntax: 34,
  inappropriateAuthentication: 48,
  invalidCredentials: 49,
  insufficientAccess: 50,
  unwillingToPerform: 53,
} as const;
