import { hash, randomBytes } from 'node:crypto';

const PREFIX = 'svc_';
/** The id in the form of `newId('tok')`; 256 bits as base64url. Everything else is refused without a look-up. */
const FORM = /^svc_(tok_[0-7][0-9a-hjkmnp-tv-z]{25})\.([\w-]{43})$/;

/** What a personal access token says. */
export interface PresentedToken {
  readonly id: string;
  readonly secret: string;
  /** As it is stored. */
  readonly secretHash: string;
}

/** Whether a bearer token is meant to be a personal access token. */
export function looksLikeApiToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Reads `svc_<tokenId>.<secret>` (docs/api.md, Authentication); undefined for what is no such text. */
export function readApiToken(token: string): PresentedToken | undefined {
  const [, id, secret] = FORM.exec(token) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  return { id, secret, secretHash: hashOf(secret) };
}

/** A new secret for a token: the text that its user is told once, and what is stored of it. */
export function issueSecret(id: string): { readonly token: string; readonly secretHash: string } {
  const secret = randomBytes(32).toString('base64url');
  return { token: `${PREFIX}${id}.${secret}`, secretHash: hashOf(secret) };
}

function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
