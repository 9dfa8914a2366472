import { createPublicKey } from 'node:crypto';
import { unsigned } from '../probes/forgery.js';
import type { RestOptions } from '../servers/platform.js';
import { makeKey, signWith } from '../servers/sso-issuer.js';
import type { ClaimChanges, IssuerKey, SsoIssuer } from '../servers/sso-issuer.js';
import { hmacOf, signProxy } from '../servers/sso-proxy.js';

/** What a forger has: everything but the private keys of the issuer and the proxy, and what those have signed. */
export interface Setting {
  readonly who: { readonly oid: string; readonly tid: string; readonly upn: string };
  readonly issuer: SsoIssuer;
  /** The issuer's: for tokens that it would sign. */
  readonly key: IssuerKey;
  /** Signs in by what is genuine. */
  readonly send: (options: RestOptions) => Promise<void>;
}

/** A proof that must not count. */
export type Forgery = readonly [name: string, make: (setting: Setting) => Sent | Promise<Sent>];

/** What is sent of it, beside the right `oid`, `tid` and `upn`. */
export interface Sent {
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Every kind of proof that must not count. */
export function forgeries(): readonly Forgery[] {
  return [...claimForgeries(), ...headerForgeries(), ...formForgeries(), ...proxyForgeries()];
}

/** Properly signed, but not this sign-in's. */
function claimForgeries(): readonly Forgery[] {
  const now = Math.floor(Date.now() / 1_000);
  const saying = (name: string, changes: ClaimChanges): Forgery => [
    name,
    ({ issuer, who }) => ({ body: { id_token: issuer.token(who.oid, changes) } }),
  ];
  return [
    saying('another audience', { aud: 'another-client' }),
    saying('no audience', { aud: undefined }),
    saying('an audience that is an empty list', { aud: [] }),
    saying('several audiences, and no authorized party', { aud: ['platform-client', 'other'] }),
    saying('several audiences, and another authorized party', { aud: ['platform-client', 'other'], azp: 'other' }),
    saying('one audience, and another authorized party', { azp: 'other' }),
    saying('another issuer', { iss: 'https://issuer.example' }),
    saying('no issuer', { iss: undefined }),
    [
      'the issuer with a slash at its end',
      ({ issuer, who }) => ({ body: { id_token: issuer.token(who.oid, { iss: `${issuer.url}/` }) } }),
    ],
    saying('no expiry', { exp: undefined }),
    saying('an expiry that is a text', { exp: String(now + 600) }),
    saying('an expiry that is over', { exp: now - 90 }),
    saying('not valid before later', { nbf: now + 120 }),
    saying('issued too long ago', { iat: now - 500 }),
    saying('issued in the future', { iat: now + 120 }),
    saying('no time of issue', { iat: undefined }),
    saying('a time of issue that is a text', { iat: String(now) }),
    saying('a foreign tid', { tid: 'another-tenant' }),
    saying('no tid', { tid: undefined }),
    saying('the oid of somebody else', { oid: 'somebody-else' }),
    saying('no oid', { oid: undefined }),
    saying('an oid that is a number', { oid: 7 }),
    saying('the upn of somebody else', { upn: 'somebody.else@contoso.example' }),
    saying('the preferred name of this one, but the upn of somebody else', {
      upn: 'somebody.else@contoso.example',
      preferred_username: 'oid@contoso.example',
    }),
    saying('no upn', { upn: undefined }),
    saying('only an email', { upn: undefined, email: 'oid@contoso.example' }),
    [
      'a body with another upn',
      ({ issuer, who }) => ({ body: { id_token: issuer.token(who.oid), upn: 'root@contoso.example' } }),
    ],
    ['a body with another oid', ({ issuer, who }) => ({ body: { id_token: issuer.token(who.oid), oid: 'root' } })],
    [
      'a body with an unknown tid',
      ({ issuer, who }) => ({ body: { id_token: issuer.token(who.oid), tid: 'unknown' } }),
    ],
    [
      'the oid of somebody whom the issuer knows by the subject',
      ({ issuer, who }) => ({ body: { id_token: issuer.token(who.oid, { oid: 'sub:x' }), oid: 'sub:x' } }),
    ],
    [
      'a token for the second time',
      async ({ issuer, who, send }) => {
        const body = { id_token: issuer.token(who.oid) };
        await send({ body: { ...who, ...body } });
        return { body };
      },
    ],
    [
      'a token for the second time, as the bearer',
      async ({ issuer, who, send }) => {
        const token = issuer.token(who.oid);
        await send({ body: { ...who, id_token: token } });
        return { headers: { authorization: `Bearer ${token}` } };
      },
    ],
  ];
}

/** By the header, or by the key. */
function headerForgeries(): readonly Forgery[] {
  const other = makeKey('RS256');
  const with_ = (name: string, header: object, key?: IssuerKey): Forgery => [
    name,
    (setting) => {
      const usual = { alg: setting.key.alg, kid: setting.key.jwk.kid, typ: 'JWT' };
      const claims = setting.issuer.claims(setting.who.oid);
      return { body: { id_token: signWith(key ?? setting.key, { ...usual, ...header }, claims) } };
    },
  ];
  return [
    with_('signed by another key', {}, other),
    with_('signed by another key, which the header embeds', { jwk: other.jwk }, other),
    with_('a genuine token that embeds a key', { jwk: other.jwk }),
    with_('signed by another key, of the address in the header', { jku: 'https://issuer.example/keys' }, other),
    with_('signed by another key, with the address of a certificate', { x5u: 'https://issuer.example/x' }, other),
    with_('a critical extension', { crit: ['exp'], exp: 1 }),
    with_('an unknown kid', { kid: 'unknown' }),
    with_('a kid that is a path', { kid: '../../dev/null' }),
    with_('another algorithm than it is signed with', { alg: 'PS256' }),
    with_('the type of an access token', { typ: 'at+jwt' }),
    with_('the type of a logout token', { typ: 'logout+jwt' }),
    ['signed with HS256 by the public key', publicKeyAsSecret],
    ...['none', 'None', 'NONE', ''].map((alg): Forgery => [
      `the algorithm ${JSON.stringify(alg)}, and no signature`,
      ({ issuer, who }) => ({ body: { id_token: `${unsigned({ alg, typ: 'JWT' }, issuer.claims(who.oid))}.` } }),
    ]),
    [
      'the algorithm none, and a genuine signature',
      ({ issuer, who, key }) => {
        const [, , signature] = issuer.token(who.oid).split('.');
        const header = { alg: 'none', kid: key.jwk.kid };
        return { body: { id_token: `${unsigned(header, issuer.claims(who.oid))}.${signature}` } };
      },
    ],
  ];
}

function publicKeyAsSecret({ issuer, who, key }: Setting): Sent {
  const secret = createPublicKey(key.privateKey).export({ format: 'pem', type: 'spki' });
  const input = unsigned({ alg: 'HS256', kid: key.jwk.kid }, issuer.claims(who.oid));
  return { body: { id_token: `${input}.${hmacOf(secret as string, input).toString('base64url')}` } };
}

/** By the form of the token. */
function formForgeries(): readonly Forgery[] {
  const formed = (name: string, change: (token: string, setting: Setting) => string): Forgery => [
    name,
    (setting) => ({ body: { id_token: change(setting.issuer.token(setting.who.oid), setting) } }),
  ];
  return [
    ['no proof', () => ({})],
    formed('an empty text', () => ''),
    formed('no token', () => 'a token'),
    formed('a token of this server', (_token, { who }) => unsigned({ alg: 'ES256' }, who)),
    formed('without its signature', (token) => token.slice(0, token.lastIndexOf('.'))),
    formed('with an empty signature', (token) => token.slice(0, token.lastIndexOf('.') + 1)),
    formed('cut off', (token) => token.slice(0, -10)),
    formed('with something behind it', (token) => `${token}AAAA`),
    formed('with padding', (token) => `${token}==`),
    formed('with white space', (token) => token.replace('.', '. ')),
    formed('its claims changed', (token) => token.replace(/\.(.)/, (_, first) => `.${first === 'e' ? 'f' : 'e'}`)),
    formed('its claims written anew', (token) => {
      const [header, claims = '', signature] = token.split('.');
      const written = JSON.stringify(JSON.parse(Buffer.from(claims, 'base64url').toString()), null, 1);
      return [header, Buffer.from(written).toString('base64url'), signature].join('.');
    }),
    formed('as JSON with the same parts', (token) => {
      const [head, payload, signature] = token.split('.');
      return JSON.stringify({ protected: head, payload, signature });
    }),
    formed('larger than any token', (token) => token + 'A'.repeat(20_000)),
  ];
}

/** Of a trusted proxy. */
function proxyForgeries(): readonly Forgery[] {
  const now = Math.floor(Date.now() / 1_000);
  type Options = Parameters<typeof signProxy>[1];
  const signed = (name: string, options: (who: Setting['who']) => Options): Forgery => [
    name,
    ({ who }) => ({ headers: signProxy(who, options(who)) }),
  ];
  const rewritten = (name: string, change: (header: string) => string): Forgery => [
    name,
    ({ who }) => ({ headers: { 'x-sso-signature': change(signProxy(who)['x-sso-signature']) } }),
  ];
  return [
    signed('of a proxy with another secret', () => ({ secret: 'another secret that is as long as the right one' })),
    signed('of a proxy, two minutes old', () => ({ time: now - 120 })),
    signed('of a proxy, two minutes ahead', () => ({ time: now + 120 })),
    signed('of a proxy, with a short nonce', () => ({ nonce: 'short' })),
    signed('of a proxy, with a nonce that is too long', () => ({ nonce: 'n'.repeat(129) })),
    signed('of a proxy, in another order', ({ oid, tid, upn }) => ({
      lines: (time, nonce) => ['v1', String(time), nonce, tid, oid, upn],
    })),
    signed('of a proxy, without the version', ({ oid, tid, upn }) => ({
      lines: (time, nonce) => [String(time), nonce, oid, tid, upn],
    })),
    signed('of a proxy, for another upn', ({ oid, tid }) => ({
      lines: (time, nonce) => ['v1', String(time), nonce, oid, tid, 'root@contoso.example'],
    })),
    rewritten('of a proxy, without the time', (header) => header.replace(/^t=\d+,/, '')),
    rewritten('of a proxy, without the nonce', (header) => header.replace(/,n=[^,]+/, '')),
    rewritten('of a proxy, without the signature', (header) => header.replace(/,v1=.*/, '')),
    rewritten('of a proxy, with two signatures', (header) => `${header},v1=${'0'.repeat(64)}`),
    rewritten('of a proxy, with two times', (header) => `t=1,${header}`),
    rewritten('of a proxy, its parts in another order', (header) => header.split(',').reverse().join(',')),
    rewritten('of a proxy, with white space', (header) => header.replaceAll(',', ', ')),
    rewritten('of a proxy, twice', (header) => `${header}, ${header}`),
    [
      'of a proxy for the second time',
      async ({ who, send }) => {
        const headers = signProxy(who);
        await send({ body: who, headers });
        return { headers };
      },
    ],
    [
      'of a proxy, with its borders moved by a line feed',
      ({ who }) => {
        const upn = `${who.tid}\n${who.upn}`;
        return { headers: signProxy({ ...who, upn }), body: { oid: `${who.oid}\n${who.tid}`, tid: who.tid } };
      },
    ],
    [
      'of a proxy, with a line feed at the end of the upn',
      ({ who }) => ({ headers: signProxy({ ...who, upn: `${who.upn}\n` }), body: { upn: `${who.upn}\n` } }),
    ],
    [
      'of a proxy, with half a character',
      ({ who }) => ({ headers: signProxy({ ...who, oid: '\ud800' }), body: { oid: '\ud800' } }),
    ],
    ['of a proxy, with an empty oid', ({ who }) => ({ headers: signProxy({ ...who, oid: '' }), body: { oid: '' } })],
  ];
}
