import { DirectoryServer, MANAGER, SUFFIX } from './directory-server.js';
import { startPlatform } from './platform.js';
import type { Platform } from './platform.js';
import { articleOf } from './research-bed.js';
import { startScriptedBackend } from './scripted-backend.js';
import { embeddings } from './scripted-embedder.js';
import { addressOf, searxngAnswer, startScriptedSearxng } from './scripted-search.js';
import { SsoIssuer } from './sso-issuer.js';
import { WebSite } from './web-site.js';

/** What a page of the documentation tells its reader to have: a new server, and what else is named there. */
export interface DocumentedServer {
  readonly platform: Platform;
  /** What a reader puts in the place of what stands in the page. */
  readonly replaced?: Readonly<Record<string, string>>;
  close(): Promise<unknown>;
}

/** Starts what a page needs. @param path such as `docs/api.md` */
export async function startDocumented(path: string): Promise<DocumentedServer> {
  const { env, replaced, close } = (await SURROUNDINGS[path]?.()) ?? NOTHING_ELSE;
  const platform = await startPlatform({
    BOOTSTRAP_ADMIN_EMAIL: 'admin@localhost',
    BOOTSTRAP_ADMIN_PASSWORD: path === 'README.md' ? 'as printed at the first start' : 'correct horse battery 9',
    ...env,
  });
  return {
    platform,
    replaced,
    close: async () => {
      await platform.close();
      await close();
    },
  };
}

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly replaced?: Readonly<Record<string, string>>;
  close(): Promise<unknown>;
}

const NOTHING_ELSE: Surroundings = { close: async () => undefined };

const SURROUNDINGS: Readonly<Record<string, () => Promise<Surroundings>>> = {
  'docs/api.md': startSearch,
  'docs/researcher.md': startSearch,
  'docs/knowledge.md': async () => {
    const server = await startScriptedBackend();
    server.models = ['bge-m3'];
    server.byDefault = (request) => embeddings(request);
    return { env: { OPENAI_BASE_URL: server.url }, close: () => server.close() };
  },
  'docs/translation.md': async () => ({ ...NOTHING_ELSE, env: { PREVIEW_DOCUMENT_TRANSLATION: 'true' } }),
  'docs/single-sign-on.md': async () => {
    const [entra, keycloak] = await Promise.all([SsoIssuer.start(), SsoIssuer.start()]);
    const ada = { tid: '9f2c4f6e-0000-4000-8000-5f3f8b1d2c3a', upn: 'ada@contoso.example', aud: '0c5f6f0a-…' };
    const subject = { oid: undefined, upn: undefined, sub: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6' };
    const replaced = {
      "https://login.microsoftonline.com/'$TENANT'/v2.0": entra.url,
      'eyJ0eXAiOiJKV1QiLCJhbGciOi…': entra.token('8f0c9a52-63a1-4c1e-9f57-6c1d7f0b6a10', ada),
      'https://sso.example.org/realms/example': keycloak.url,
      'eyJ…': keycloak.token('', { ...subject, tid: 'example', preferred_username: 'ada', aud: 'platform' }),
    };
    return { replaced, close: () => Promise.all([entra.close(), keycloak.close()]) };
  },
  'docs/directories.md': async () => {
    const server = await DirectoryServer.start();
    const replaced = {
      'ldaps://ldap.example.com': server.tlsUrl,
      '-----BEGIN CERTIFICATE-----\\n…': server.ca.replaceAll('\n', '\\n'),
      'cn=ai,ou=services,dc=example,dc=com': MANAGER.dn,
      '"bind_password": "…"': `"bind_password": "${MANAGER.password}"`,
      'dc=example,dc=com': SUFFIX,
      '"example.com"': '"example.test"',
    };
    return { replaced, close: () => server.close() };
  },
};

/** A search engine that finds one page, which may be read. */
async function startSearch(): Promise<Surroundings> {
  const text = 'The default is typically 100 connections, and PostgreSQL takes 100 connections by default.';
  const page = articleOf('Connections', text, 'The default port of PostgreSQL is 5432.');
  const [searxng, site] = await Promise.all([startScriptedSearxng(), WebSite.start({ '/connections': page })]);
  searxng.byDefault = () => searxngAnswer([{ url: site.url('/connections'), published: '2024-05-17T00:00:00' }]);
  const env = { SEARXNG_URL: addressOf(searxng), EGRESS_ALLOW: '127.0.0.1/32', EGRESS_PORTS: '1-65535' };
  return { env, close: () => Promise.all([searxng.close(), site.close()]) };
}
