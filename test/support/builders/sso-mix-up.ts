import { createHash, randomUUID } from 'node:crypto';
import type { SsoIssuer } from '../servers/sso-issuer.js';

/** The client that the platform is to the honest issuer. */
export const HONEST_CLIENT = 'platform-at-honest';
/** What the honest issuer asks its client for, where the client has a secret. */
export const HONEST_SECRET = 'the secret of the honest client';
/** Who is signed in at the honest issuer, whatever browser comes. */
export interface Victim {
  readonly oid: string;
  readonly tid: string;
  readonly upn: string;
}

type Fields = Readonly<Record<string, string>>;

/**
 * Lets an issuer give codes as it has to (RFC 6749, RFC 7636), to one client.
 * @param secret of the client; undefined: the client is public
 */
export function giveCodes(honest: SsoIssuer, victim: Victim, secret?: string): void {
  const codes = new Map<string, Fields>();
  honest.scripts.set('/authorize', ({ fields }) => {
    if (fields.client_id !== HONEST_CLIENT) return undefined;
    const code = randomUUID();
    codes.set(code, fields);
    const names = honest.configuration.authorization_response_iss_parameter_supported === true;
    return sentTo(fields.redirect_uri, { code, state: fields.state ?? '', ...(names && { iss: honest.url }) });
  });
  honest.scripts.set('/token', ({ fields, authorization }) => {
    // As some do with all that they are sent.
    const trimmed = fields.code?.trim() ?? '';
    const code = codes.get(trimmed);
    codes.delete(trimmed);
    const challenge = createHash('sha256')
      .update(fields.code_verifier ?? '')
      .digest('base64url');
    const isOurs = secret === undefined ? fields.client_id === HONEST_CLIENT : isSigned(authorization, secret);
    if (!code || !isOurs || challenge !== code.code_challenge || fields.redirect_uri !== code.redirect_uri) {
      return undefined;
    }
    const idToken = honest.token(victim.oid, { ...victim, aud: HONEST_CLIENT, nonce: code.nonce });
    return { access_token: 'an access token', token_type: 'bearer', id_token: idToken };
  });
}

/** What a hostile issuer has got hold of. */
interface Loot {
  /** What the platform has sent its token endpoint. */
  codes: Fields[];
  /** What the honest issuer has made of it. */
  idToken?: string;
}

/**
 * Lets an issuer send its browsers on to another one, as the platform's client there, and try there what it is sent.
 * @param changes what it asks the other one for, beside what the platform has asked itself for
 */
export function relay(hostile: SsoIssuer, honest: SsoIssuer, changes: Fields = {}): Loot {
  const loot: Loot = { codes: [] };
  hostile.scripts.set('/authorize', ({ fields }) =>
    sentTo(`${honest.url}/authorize`, { ...fields, client_id: HONEST_CLIENT, ...changes }),
  );
  hostile.scripts.set('/token', async ({ fields }) => {
    loot.codes.push(fields);
    const body = new URLSearchParams({ ...fields, client_id: HONEST_CLIENT });
    // The other one would not get to redeem a code that was tried, so it is kept where it is worth more.
    if (changes.code_challenge !== undefined) return undefined;
    const answer = await fetch(`${honest.url}/token`, { method: 'POST', body });
    loot.idToken = ((await answer.json()) as { id_token?: string }).id_token;
    return undefined;
  });
  return loot;
}

function sentTo(address: string | undefined, parameters: Fields): URL {
  const url = new URL(address ?? '');
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** The parts are form-encoded (RFC 6749, 2.3.1). */
function isSigned(authorization: string | undefined, secret: string): boolean {
  const sent = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
  return (
    new URLSearchParams(`client=${sent.replace(':', '&secret=')}`).toString() ===
    new URLSearchParams({ client: HONEST_CLIENT, secret }).toString()
  );
}
