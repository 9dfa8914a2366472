import { createHash, randomBytes } from 'node:crypto';

const MAX_AGE_SECONDS = 10 * 60;
const ID = /^[\w-]{43}$/;

/**
 * The cookie that a browser keeps while somebody signs in by it: a random id, the same for all its tabs, so that what
 * one browser has begun no other one ends. It is no credential of anybody.
 */
export class BrowserCookie {
  private readonly name: string;
  private readonly attributes: string;

  /** @param isSecure whether browsers come over TLS: then no other host of the domain can set it */
  constructor(isSecure: boolean) {
    this.name = isSecure ? '__Host-sso' : 'sso';
    this.attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  /** The header that gives a browser its id, for ten minutes. @param id 32 bytes as base64url */
  write(id: string): string {
    return `${this.name}=${id}; Max-Age=${MAX_AGE_SECONDS}; ${this.attributes}`;
  }

  /** The header that takes the id away. */
  clear(): string {
    return `${this.name}=; Max-Age=0; ${this.attributes}`;
  }

  /** The SHA-256 of the id in a `cookie` header, base64url; undefined as `read` is. */
  hashOf(header: string | undefined): string | undefined {
    const id = this.read(header);
    return id === undefined ? undefined : hashOf(id);
  }

  /** The id in a `cookie` header; undefined where there is none, or more than one: then somebody else has set it too. */
  read(header: string | undefined): string | undefined {
    const begin = `${this.name}=`;
    const found = (header ?? '')
      .split(';')
      .map((part) => part.trim())
      .filter((part) => part.startsWith(begin));
    const id = found[0]?.slice(begin.length);
    return found.length === 1 && id !== undefined && ID.test(id) ? id : undefined;
  }
}

/** A text of 256 random bits, as base64url; it may be a code verifier (RFC 7636), too. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What a random text is stored as: SHA-256, base64url. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
