import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BackendDiscovery } from '../../../src/inference/backends/backend-discovery.js';
import { BackendRegistry } from '../../../src/inference/backends/backend-registry.js';
import { BuiltinBackend } from '../../../src/inference/builtin/builtin-backend.js';
import { json, startScriptedBackend } from '../../support/servers/scripted-backend.js';
import type { ScriptedBackend } from '../../support/servers/scripted-backend.js';
import { silentLog } from '../../support/probes/silent-log.js';

describe('the discovery of model servers', () => {
  let server: ScriptedBackend;
  let registry: BackendRegistry;

  beforeEach(async () => {
    server = await startScriptedBackend();
    registry = new BackendRegistry([new BuiltinBackend({ id: 'builtin' })]);
  });
  afterEach(async () => {
    await registry.close();
    await server.close().catch(() => undefined);
  });

  it('adds who answers, once', async () => {
    const found = discovery({ ollama: server.port });

    await found.discover();
    await found.discover();
    await registry.all[1]?.refresh();

    expect(ids()).toEqual(['builtin', 'ollama']);
    expect(registry.all[1]).toMatchObject({ provider: 'ollama', modelsKnown: true });
  });

  it('finds a server that starts later', async () => {
    const { port } = server;
    await server.close();
    const found = discovery({ vllm: port });

    await found.discover();
    const before = ids();
    await server.listen(port);
    await found.discover();

    expect([before, ids()]).toEqual([['builtin'], ['builtin', 'vllm']]);
  });

  it('adds nothing that lists no models, has a taken port, or a taken name', async () => {
    server.models = json(401, {});
    await discovery({ ollama: server.port }).discover();
    server.models = ['a'];
    await discovery({ ollama: server.port }, [server.port]).discover();
    await discovery({ builtin: server.port }).discover();

    expect(ids()).toEqual(['builtin']);
  });

  function discovery(servers: Record<string, number>, takenPorts: number[] = []): BackendDiscovery {
    const parts = {
      registry,
      takenPorts: new Set(takenPorts),
      healthChanged: () => undefined,
      log: silentLog,
      silentLog,
    };
    return new BackendDiscovery(parts, servers);
  }

  function ids(): string[] {
    return registry.all.map(({ id }) => id);
  }
});
