import { beforeAll, describe, expect, it } from '@jest/globals';
import { leftCallMs, shortest } from '../proof/probes/shortest.js';
import type { AnyJson } from '../support/probes/any-json.js';
import { eventually } from '../support/probes/eventually.js';
import { silence } from '../support/servers/scripted-backend.js';
import { libretranslate } from '../support/builders/translating-model.js';
import { useGateway } from '../support/servers/use-servers.js';

describe('a translation that is left while its server says nothing', () => {
  const gateway = useGateway(() => SETTINGS);
  beforeAll(async () => {
    gateway.backend.byDefault = libretranslate(String);
    await becomeHealthy();
  });

  it.each([
    ['a translation server', 'lt', false],
    ['a chat model', 'scripted', true],
  ])('ends the call of %s within 100 ms', async (_what, model, stream) => {
    const server = gateway.backends[model === 'lt' ? 0 : 1]!;
    server.byDefault = (request) => (request.path.endsWith('/languages') ? libretranslate(String)(request) : silence());
    const body = { text: 'The house is red.', source_language: 'en', target_language: 'de', model, stream };
    const leave = () =>
      leftCallMs(server, (signal) =>
        gateway.platform.send('POST', '/v1/translate/text', { token: gateway.token, body, signal }),
      );

    expect(await shortest(100, leave)).toBeLessThan(100);
  });

  /** It was asked before it could answer, so that calls are kept away from it for a while. */
  async function becomeHealthy(): Promise<void> {
    await eventually('the server is healthy', 60, async () => {
      const { body } = await gateway.get('/v1/backends');
      return body.data.every(({ healthy }: AnyJson) => healthy);
    });
  }
});

const SERVER = { id: 'lt', kind: 'libretranslate', models: undefined, byok: true, api_key: 'server-key-1' } as const;

const SETTINGS = {
  servers: 2,
  backends: [SERVER, { id: 'chat' }],
  env: { BUILTIN_BACKEND: 'false', EGRESS_ALLOW: '127.0.0.0/8' },
};
