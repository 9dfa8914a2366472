import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { domains } from '../../src/domains.js';
import { createTestDatabaseFolder } from '../support/servers/database.js';
import { refusal } from '../support/servers/live-client.js';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';
import { ServerProcess } from '../support/servers/server-process.js';

const NAMES = domains.modules.map(({ name }) => name);
const PAGE = readFileSync('docs/operations.md', 'utf8');
const SERVICE = '{ _service { sdl } }';

describe('a server of one domain', () => {
  it.each(NAMES)('serves its subgraph, its paths in docs/operations.md, and no other: %s', async (name) => {
    const platform = await startPlatform({ DOMAINS: name });

    const { body } = await platform.graphql(SERVICE);
    const served = await pathsOf(platform);
    const live = await refusal(platform.url, { query: '?intent=transcription' });
    await platform.close();

    expect(body.data._service.sdl).toBe(emitted(name));
    expect(served).toEqual(endpoints().filter(({ domain }) => domain === name));
    expect(live.status === 404).toBe(domainOf('/v1/realtime') !== name);
  });

  it('serves the emitted subgraph where its process has built no other graph before', async () => {
    const database = await createTestDatabaseFolder();
    const server = await ServerProcess.start({ ...database.env, DOMAINS: 'inference', SHUTDOWN_SECONDS: '2' });
    const [, address] = await server.says(/"address":"(http:[^"]+)"/);

    const answer = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: SERVICE }),
    });
    const { data } = (await answer.json()) as { data: { _service: { sdl: string } } };
    server.signal('SIGTERM');
    await server.ending();
    await database.drop();

    expect(data._service.sdl).toBe(emitted('inference'));
  });
});

describe('the table of paths by domain in docs/operations.md', () => {
  it('has every domain, and a domain for every path', () => {
    expect([...new Set(rules().map(({ domain }) => domain))]).toEqual(NAMES);
    expect(endpoints().filter(({ domain }) => domain === undefined)).toEqual([]);
  });
});

function emitted(domain: string): string {
  return readFileSync(`schema/subgraphs/${domain}.graphql`, 'utf8');
}

/** Every endpoint with the domain that the table names for it. */
function endpoints(): { method: string; path: string; domain: string | undefined }[] {
  const listed = JSON.parse(readFileSync('test/fixtures/endpoints.json', 'utf8')) as { method: string; path: string }[];
  return listed.map(({ method, path }) => ({ method, path, domain: domainOf(path) }));
}

/** What the table says of a path: of the rules that fit, the longest counts. */
function domainOf(path: string): string | undefined {
  const fitting = rules().filter((rule) => `${path}/`.replaceAll(/\{\w+\}/g, '{id}').startsWith(`${rule.path}/`));
  return fitting.sort((a, b) => b.path.length - a.path.length)[0]?.domain;
}

function rules(): { domain: string; path: string }[] {
  const [, table = ''] = /<!-- paths by domain[^\n]*\n([^]*?)<!-- end -->/.exec(PAGE) ?? [];
  return [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].flatMap(([, domain = '', paths = '']) =>
    [...paths.matchAll(/`([^`]+)`/g)].map(([, path = '']) => ({ domain, path })),
  );
}

/** The endpoints that are not a 404 without a credential. */
async function pathsOf(platform: Platform): Promise<ReturnType<typeof endpoints>> {
  const answers = await Promise.all(
    endpoints().map(async (endpoint) => {
      const path = endpoint.path.replaceAll(/\{\w+\}/g, 'ten_01h45ytscbebyvny4gc8cr8ma2');
      return { endpoint, ...(await platform.request(endpoint.method, path, { redirect: 'manual' })) };
    }),
  );
  return answers.filter(({ status }) => status !== 404).map(({ endpoint }) => endpoint);
}
