import { constants, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Platform, RestAnswer } from './platform.js';
import { unsigned } from '../probes/forgery.js';

/** The `tid` that test issuers are set up with, unless told otherwise. */
export const TID = 'contoso';
/** For whom test issuers make their tokens. */
export const AUDIENCE = 'platform-client';
/** Signs for a trusted proxy. */
export const PROXY_SECRET = 'a secret that only the proxy and the platform know';

/** A key of an issuer, and what it is published as. */
export interface IssuerKey {
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
}

/** Makes a key for an algorithm such as RS256, PS256 or ES256. */
export function makeKey(alg: string, kid: string = randomUUID()): IssuerKey {
  const { privateKey, publicKey } = alg.startsWith('ES')
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { alg, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } };
}

/** A token with this header and these claims, signed by a key as its algorithm says. */
export function signWith({ alg, privateKey }: IssuerKey, header: object, claims: object): string {
  const input = unsigned(header, claims);
  const padding = alg.startsWith('PS')
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {};
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363', ...padding } as const;
  return `${input}.${sign(`sha${alg.slice(2)}`, Buffer.from(input), key).toString('base64url')}`;
}

/** What a token of a test may say otherwise; undefined leaves a claim out. */
export type ClaimChanges = Readonly<Record<string, unknown>>;

/** What an issuer is asked. */
export interface IssuerRequest {
  /** Of the address, or of the form that was sent. */
  readonly fields: Readonly<Record<string, string>>;
  /** The header of the client that asks. */
  readonly authorization: string | undefined;
}

/** How a test lets an issuer answer: a document, or the address that a browser is sent on to; undefined is 400. */
export type IssuerScript = (request: IssuerRequest) => Promise<object | URL | undefined> | object | URL | undefined;

/** An issuer on this machine: its configuration and its keys; whom its tokens are for, tests decide. */
export class SsoIssuer {
  /** The paths that it was asked for. */
  readonly requests: string[] = [];
  /** Published; the first one signs. */
  keys: IssuerKey[] = [makeKey('RS256')];
  /** It answers 500 to everything. */
  isBroken = false;
  /** In place of what its configuration says otherwise. */
  configuration: Readonly<Record<string, unknown>> = {};
  /** The id token for whatever code it is sent. */
  nextToken = '';
  /** By path, in place of what it answers otherwise. */
  readonly scripts = new Map<string, IssuerScript>();

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async start(): Promise<SsoIssuer> {
    const server = createServer((request, response) => void issuer.answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new SsoIssuer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
    return issuer;
  }

  /** The claims of an id token for somebody, an `oid` at first. */
  claims(oid: string, changes: ClaimChanges = {}): Record<string, unknown> {
    const now = Math.floor(Date.now() / 1_000);
    const upn = `${oid}@contoso.example`;
    const who = { oid, tid: TID, upn, name: `Name of ${oid}`, sub: `subject of ${oid}` };
    return { iss: this.url, aud: AUDIENCE, iat: now, exp: now + 3_600, jti: randomUUID(), ...who, ...changes };
  }

  /** An id token for somebody, as this issuer would make it. */
  token(oid: string, changes: ClaimChanges = {}): string {
    const [key] = this.keys as [IssuerKey];
    return signWith(key, { alg: key.alg, kid: key.jwk.kid, typ: 'JWT' }, this.claims(oid, changes));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    this.requests.push(pathname);
    const script = this.isBroken ? undefined : this.scripts.get(pathname);
    if (!script) return send(response, this.isBroken ? undefined : this.documents[pathname], 500);
    const fields = request.method === 'POST' ? new URLSearchParams(await text(request)) : searchParams;
    const { authorization } = request.headers;
    return send(response, await script({ fields: Object.fromEntries(fields), authorization }), 400);
  }

  private get documents(): Readonly<Record<string, object>> {
    return {
      '/.well-known/openid-configuration': {
        issuer: this.url,
        jwks_uri: `${this.url}/keys`,
        authorization_endpoint: `${this.url}/authorize`,
        token_endpoint: `${this.url}/token`,
        ...this.configuration,
      },
      '/token': { access_token: 'an access token', token_type: 'bearer', id_token: this.nextToken },
      '/keys': { keys: this.keys.map(({ jwk }) => jwk) },
    };
  }
}

function send(response: ServerResponse, answer: object | undefined, failure: 400 | 500): void {
  const isRedirect = answer instanceof URL;
  const headers = isRedirect ? { location: answer.href } : { 'content-type': 'application/json' };
  response.writeHead(isRedirect ? 302 : answer ? 200 : failure, headers);
  response.end(isRedirect ? undefined : JSON.stringify(answer ?? {}));
}

/** Sets a provider up as the administrator of all; it is active. @returns its id */
export async function addSsoProvider(
  platform: Platform,
  issuer: { readonly url: string },
  values: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { access_token: token } = await platform.login();
  const settings = { name: 'Contoso', tid: TID, issuer: issuer.url, client_id: AUDIENCE, proxy_secret: PROXY_SECRET };
  const body = { kind: 'sso', ...settings, ...values };
  const answer = await platform.request('POST', '/v1/admin/identity-providers', { token, body });
  if (answer.status !== 201) throw new Error(`No provider was added: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}

/** Signs in by an id token for somebody, in the body. */
export function signInByToken(
  platform: Platform,
  oid: string,
  idToken: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<RestAnswer> {
  return platform.request('POST', '/v1/auth/sso', {
    body: { oid, tid: TID, upn: `${oid}@contoso.example`, id_token: idToken, ...body },
  });
}
