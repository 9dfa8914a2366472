import { z } from 'zod';
import { BadRequest } from '../../errors.js';
import { isLoopback } from '../../platform/net/loopback.js';
import { emailDomains } from '../users/email-domain.js';

/** Ports of directories, and those from which on anybody may listen. */
const LDAP_PORTS: ReadonlySet<number> = new Set([389, 636, 3268, 3269]);
const FIRST_FREE_PORT = 1_024;
const CERTIFICATE = /^\s*(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;

const secret = z.string().min(1).max(1_000);
const text = secret.refine((value) => !/[\p{Cc}\p{Cs}]/u.test(value), 'must not contain control characters');

const common = { name: text.max(100), domains: emailDomains.default([]) };

const ldap = z
  .strictObject({
    ...common,
    kind: z.literal('ldap'),
    url: z.string().max(300).superRefine(checkLdapUrl),
    start_tls: z.boolean().default(false),
    ca: z.string().max(100_000).regex(CERTIFICATE, 'must be certificates in PEM').optional(),
    bind_dn: text.optional(),
    bind_password: text.optional(),
    base_dn: text,
    user_filter: text.includes('{email}', { message: 'must contain {email}' }).default('(mail={email})'),
    sync_filter: text.default('(mail=*)'),
    id_attribute: z.enum(['entryUUID', 'objectGUID']).default('entryUUID'),
    email_attribute: text.default('mail'),
    name_attribute: text.default('displayName'),
    group_base_dn: text.optional(),
    group_filter: text.includes('{dn}', { message: 'must contain {dn}' }).default('(member={dn})'),
    nested_groups: z.boolean().default(false),
    group_map: z
      .array(z.strictObject({ group: text, privilege: z.enum(['user', 'admin']) }))
      .max(100)
      .default([]),
    timeout_seconds: z.number().min(1).max(60).default(10),
  })
  .refine(({ bind_dn: dn, bind_password: password }) => (dn === undefined) === (password === undefined), {
    path: ['bind_password'],
    message: 'belongs to bind_dn: give both, or neither',
  })
  .refine(({ url, start_tls: startTls }) => !startTls || url.startsWith('ldap:'), {
    path: ['start_tls'],
    message: 'is for ldap:// alone; ldaps:// has TLS from the beginning',
  })
  .refine(({ url, start_tls: startTls }) => startTls || url.startsWith('ldaps:') || isLoopbackUrl(url), {
    path: ['url'],
    message: 'must be ldaps://, or ldap:// with start_tls: passwords travel over TLS only',
  });

const webUrl = z.string().max(1_000).refine(isSecureUrl, 'must be an https URL without user and fragment');

const sso = z
  .strictObject({
    ...common,
    kind: z.literal('sso'),
    tid: text.max(200),
    issuer: webUrl.optional(),
    audience: text.optional(),
    jwks_uri: webUrl.optional(),
    client_id: text.optional(),
    client_secret: secret.optional(),
    proxy_secret: secret.min(32).optional(),
  })
  .refine(({ issuer, proxy_secret: proxySecret }) => issuer !== undefined || proxySecret !== undefined, {
    path: ['issuer'],
    message: 'must be set where there is no proxy_secret: somebody has to prove who people are',
  })
  .refine(
    ({ issuer, client_id: clientId, audience }) =>
      issuer === undefined || clientId !== undefined || audience !== undefined,
    {
      path: ['audience'],
      message: 'must be set where there is no client_id: proofs are made for somebody',
    },
  );

const provider = z.discriminatedUnion('kind', [ldap, sso]);

/** The settings of a directory that checks passwords, under the names of REST. */
export type LdapSettings = z.infer<typeof ldap>;
/** The settings of an issuer of proofs, under the names of REST. */
export type SsoSettings = z.infer<typeof sso>;
/** The settings of an identity provider. */
export type ProviderSettings = LdapSettings | SsoSettings;

/** `ldap`: a directory that checks passwords; `sso`: an issuer of proofs. */
export type ProviderKind = ProviderSettings['kind'];

/** What is sealed: nobody gets to see it again. */
export const SECRET_SETTINGS = ['bind_password', 'client_secret', 'proxy_secret'] as const;
/** The secrets that a provider has. */
export type SecretSettings = { readonly [Name in (typeof SECRET_SETTINGS)[number]]?: string };
/** What may be shown. */
export type OpenSettings = Omit<LdapSettings, keyof SecretSettings> | Omit<SsoSettings, keyof SecretSettings>;

/**
 * Checks the settings of an identity provider.
 * @throws BadRequest that names the field
 */
export function checkProviderSettings(value: unknown): ProviderSettings {
  const parsed = provider.safeParse(value);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: 'is not valid' }] = parsed.error.issues;
  const field = z.core.toDotPath(path);
  throw new BadRequest(`${field}: ${message}`, field);
}

function checkLdapUrl(value: string, context: z.RefinementCtx): void {
  const problem = ldapUrlProblem(value);
  if (problem) context.addIssue({ code: 'custom', message: problem });
}

function ldapUrlProblem(value: string): string | undefined {
  if (!URL.canParse(value)) return 'must be a URL such as ldaps://directory.example.com';
  const { protocol, username, password, pathname, search, hash, hostname } = new URL(value);
  if (protocol !== 'ldap:' && protocol !== 'ldaps:') return 'must begin with ldaps:// or ldap://';
  if (username || password || search || hash || !/^\/?$/.test(pathname) || hostname === '') {
    return 'must have a host and a port alone';
  }
  const port = ldapPortOf(value);
  if (!LDAP_PORTS.has(port) && port < FIRST_FREE_PORT) return `the port must be 389, 636, 3268, 3269, or from 1024 up`;
  return undefined;
}

/** The port that the URL of a directory leads to, also where it leaves it out. */
export function ldapPortOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'ldaps:' ? 636 : 389) : Number(port);
}

function isLoopbackUrl(value: string): boolean {
  return URL.canParse(value) && isLoopback(new URL(value).hostname);
}

/** Plain http is for tests and proxies on the same machine. */
function isSecureUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, hash } = new URL(value);
  return !username && !password && !hash && (protocol === 'https:' || (protocol === 'http:' && isLoopbackUrl(value)));
}
