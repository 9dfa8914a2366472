import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInAdmin, addTenant } from '../../support/builders/accounts.js';
import { startGateway } from '../../support/servers/gateway.js';
import type { Gateway } from '../../support/servers/gateway.js';
import { metricLines } from '../../support/probes/metrics.js';
import { addRuntimeBackend } from '../../support/servers/runtime-backend.js';
import { json, stream, wholeStream } from '../../support/servers/scripted-backend.js';
import { newServiceKey } from '../../support/servers/service-key.js';

const SERVICE = newServiceKey();

describe('metrics of models that tenants invent', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    const env = { ...SERVICE.env, EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMIT_REQUESTS_PER_MINUTE: '0' };
    gateway = await startGateway({ backends: [], env });
    gateway.backend.byDefault = ({ body }) => (body.stream ? stream(...wholeStream('a')) : json(200, { choices: [] }));
  });
  afterAll(() => gateway.close());

  it('name twenty models of a tenant’s own backend, and those that are called alone', async () => {
    const token = await administrator();
    const models = names(1_000, 'own');
    const id = await add(token, 'own', models);
    expect((await lines()).join('\n')).not.toContain('own-');

    for (const model of models.slice(0, 30)) expect(await ask(token, model, true)).toBe(200);

    const all = await lines();
    const named = new Set(all.flatMap((line) => /backend="(bck_\w+)",model="own-\d+"/.exec(line)?.[0] ?? []));
    expect(named.size).toBe(20);
    expect(all.join('\n')).toContain('platform_tokens_total{backend="other",model="other",kind="prompt"}');
    expect((await gateway.platform.as(token).delete(`/v1/admin/backends/${id}`)).status).toBe(204);
    expect((await lines()).join('\n')).not.toMatch(/own-|bck_/);
  });

  it('end with what is replaced, and stay so where a call ends later', async () => {
    const token = await administrator();
    const id = await add(token, 'late', ['before', 'stays']);
    await ask(token, 'stays');
    const gate = Promise.withResolvers<void>();
    gateway.backend.answer({ pieces: [gate.promise, '{"choices":[]}'] });
    const arrived = gateway.backend.nextRequest();
    const late = ask(token, 'before');
    await arrived;

    await gateway.platform.as(token).patch(`/v1/admin/backends/${id}`, { models: [{ id: 'stays' }, { id: 'after' }] });
    await lines();
    gate.resolve();
    expect(await late).toBe(200);

    const text = (await lines()).join('\n');
    expect(text).not.toContain('model="before"');
    expect(text).toContain(`backend="${id}",model="stays"`);
    await gateway.platform.as(token).delete(`/v1/admin/backends/${id}`);
  });

  it('are a few thousand lines, whatever tenants do, and leave room for the operator’s own', async () => {
    const tenants = await Promise.all([administrator(), administrator(), administrator()]);
    // Ends the series of backends that are gone: they would take the place of others for some seconds.
    await lines();
    for (const token of tenants) {
      for (const name of names(20, 'many')) await add(token, name, names(30, name));
      // Together twenty more than there is room for.
      for (const name of names(10, 'many')) {
        for (const model of names(4, name)) await ask(token, model, true);
      }
    }
    const operators = names(210, 'company');
    await add(gateway.token, 'company', operators);
    for (const model of operators) await ask(gateway.token, model);

    const all = await lines();
    const named = new Set(all.flatMap((line) => /backend="bck_\w+",model="[\w-]+"/.exec(line)?.[0] ?? []));
    const company = [...named].filter((labels) => labels.includes('company'));

    expect(all.length).toBeLessThan(6_000);
    expect([company.length, named.size]).toEqual([200, 300]);
  });

  it('take no more than a thousand models of a server, and no odd names', async () => {
    const odd = ['', 'x'.repeat(257), 'a\nb', 'a\u0000', 'a\u009b', 7, null];
    gateway.backend.models = json(200, { data: [...odd, ...names(1_200, 'listed')].map((id) => ({ id })) });
    const token = await administrator();
    await add(token, 'lists');

    const { body } = await gateway.platform.as(token).get('/v1/backends');
    const { models } = body.data.find(({ backend }: { backend: string }) => backend === 'lists');

    expect(models).toEqual(names(1_000, 'listed'));
    const tooMany = names(1_001, 'm').map((id) => ({ id }));
    const control = [{ id: 'a\u001bb' }];
    for (const list of [tooMany, control]) {
      const settings = { name: 'x', base_url: gateway.backend.url, models: list };
      const { status } = await gateway.platform.as(token).post('/v1/admin/backends', settings);
      expect(status).toBe(400);
    }
  });

  async function administrator(): Promise<string> {
    return (await addSignedInAdmin(gateway.platform, await addTenant(gateway.platform))).token;
  }

  async function add(token: string, name: string, models?: string[]): Promise<string> {
    const settings = { name, base_url: gateway.backend.url, models: models?.map((id) => ({ id })) };
    const answer = await addRuntimeBackend(gateway.platform, token, settings);
    expect(answer.status).toBe(201);
    return answer.body.id;
  }

  async function ask(token: string, model: string, streamed = false): Promise<number> {
    return (await gateway.chat({ model, stream: streamed }, { token })).status;
  }

  function lines(): Promise<string[]> {
    return metricLines(gateway.platform, SERVICE.key);
  }
});

function names(count: number, prefix: string): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}-${at}`);
}
