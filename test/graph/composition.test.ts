import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';
import { buildGraph } from '../../src/graph/graph.js';
import { refusal } from '../support/servers/live-client.js';
import { startPlatform } from '../support/servers/platform.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('the subgraphs', () => {
  const platform = usePlatform();

  it('compose into one supergraph', async () => {
    const { domains } = platform.app;
    const services = [];
    for (const domain of domains) {
      const { sdl } = await buildGraph([domain], domains);
      services.push({ name: domain.name, typeDefs: parse(sdl) });
    }

    const result = composeServices(services);

    expect('errors' in result ? result.errors : undefined).toBeUndefined();
    expect(result.supergraphSdl).toContain('type Query');
  });

  it('compose where processes serve several domains each, as in docs/operations.md', async () => {
    const { domains } = platform.app;
    const groups = [...readFileSync('docs/operations.md', 'utf8').matchAll(/^DOMAINS=(\S+) /gm)];
    const services = [];
    for (const [index, [, names = '']] of groups.entries()) {
      const { sdl } = await buildGraph(
        domains.filter(({ name }) => names.split(',').includes(name)),
        domains,
      );
      services.push({ name: `group${index}`, typeDefs: parse(sdl) });
    }

    const result = composeServices(services);

    expect(groups.flatMap(([, names = '']) => names.split(',')).sort()).toEqual(domains.map(({ name }) => name).sort());
    expect('errors' in result ? result.errors : undefined).toBeUndefined();
  });

  it('leave to each domain its own types', async () => {
    const { domains } = platform.app;
    const metering = domains.filter((domain) => domain.name === 'metering');

    const { sdl } = await buildGraph(metering, domains);

    expect(sdl).toMatch(/type User @key\(fields: "id"\) \{\s+(""".*"""\s+)?id: ID!\s+(""".*"""\s+)?quota: Quota\s+\}/);
    expect(sdl).not.toMatch(/type Tenant\b/);
  });

  it('are served as the few that are named', async () => {
    const alone = await startPlatform({ DOMAINS: 'identity,metering' });
    const { access_token, user } = await alone.login();

    const { body } = await alone.graphql(
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on User { id quota { percentUsed } } } }',
      { of: [{ __typename: 'User', id: user.id }] },
      access_token,
    );
    const rest = await alone.request('GET', '/v1/models', { token: access_token });
    const socket = await refusal(alone.url, { token: access_token, query: '?intent=transcription' });
    await alone.close();

    expect(body.data).toEqual({ _entities: [{ id: user.id, quota: { percentUsed: 0 } }] });
    expect([rest.status, socket.status]).toEqual([404, 404]);
  });

  it('are those that exist: an unknown one stops the start', async () => {
    await expect(startPlatform({ DOMAINS: 'nonsense' })).rejects.toThrow(/DOMAINS: there is no nonsense/);
  });
});
