import { beforeAll, describe, expect, it } from '@jest/globals';
import { userMessage } from '../../support/builders/chat-request.js';
import { eventually } from '../../support/probes/eventually.js';
import { metricValue } from '../../support/probes/metrics.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import type { Client } from '../../support/servers/platform.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const SERVICE = newServiceKey();

describe('metrics', () => {
  const platform = usePlatform(SERVICE.env);
  let admin: Client;

  beforeAll(async () => {
    admin = platform.as((await platform.login()).access_token);
  });

  it('are for service keys alone', async () => {
    const anonymous = await platform.request('GET', '/metrics');
    const user = await admin.get('/metrics');
    const service = await platform.as(SERVICE.key).get('/metrics');

    expect([anonymous.status, user.status, service.status]).toEqual([401, 401, 200]);
    expect(anonymous.body.error.code).toBe('unauthorized');
    expect(service.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  it('count requests by the template of their route', async () => {
    for (const id of ['one', 'two', 'three']) await admin.get(`/v1/models/${id}`);
    for (const path of ['/v1/nothing', '/nothing/at/all']) await admin.get(path);

    const { body } = await platform.as(SERVICE.key).get('/metrics');

    expect(body).toContain(
      'platform_requests_total{transport="rest",method="GET",route="/v1/models/{id}",status="404"} 3\n',
    );
    expect(body).toContain('route="-",status="404"');
    expect(body).not.toMatch(/nothing|"\/v1\/models\/(one|two|three)"/);
  });

  it('tell calls, tokens, the time to the first token and the part of the gateway', async () => {
    const whole = await admin.post('/v1/chat/completions', question());
    const before = {
      first: await valueOf('platform_first_token_seconds_count{backend="builtin",model="builtin-extractive"}'),
      own: await valueOf('platform_overhead_seconds_count'),
      completion: await valueOf(
        'platform_tokens_total{backend="builtin",model="builtin-extractive",kind="completion"}',
      ),
    };
    await admin.post('/v1/chat/completions', { ...question(), stream: true });

    const calls = await valueOf(
      'platform_upstream_calls_total{area="chat",backend="builtin",model="builtin-extractive",outcome="completed"}',
    );

    expect(calls).toBe(2);
    expect(before).toEqual({ first: 0, own: 1, completion: whole.body.usage.completion_tokens });
    expect(await valueOf('platform_first_token_seconds_count{backend="builtin",model="builtin-extractive"}')).toBe(1);
    expect(await valueOf('platform_overhead_seconds_count')).toBe(2);
    expect(await valueOf('platform_tokens_total{backend="builtin",model="builtin-extractive",kind="completion"}')).toBe(
      2 * before.completion,
    );
  });

  it('name no model that does not exist', async () => {
    await admin.post('/v1/chat/completions', { ...question(), model: 'made-up-by-a-client' });

    const { body } = await platform.as(SERVICE.key).get('/metrics');

    expect(body).not.toContain('made-up-by-a-client');
  });

  it('tell the pool, the streams, the backends, the event loop and the process', async () => {
    const { body } = await platform.as(SERVICE.key).get('/metrics');

    for (const name of [
      'platform_streams_open 0',
      'platform_database_connections{state="idle"}',
      'platform_database_long_reads{state="waiting"} 0',
      'platform_backend_healthy{backend="builtin"} 1',
      'platform_backend_calls_open{backend="builtin"} 0',
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
    ]) {
      expect(body).toContain(name);
    }
    // At any moment somebody may wait for a connection, such as a worker that looks for jobs.
    await eventually('nobody waits for a connection', 10, async () => {
      return (await valueOf('platform_database_connections{state="waiting"}')) === 0;
    });
  });

  function valueOf(series: string): Promise<number> {
    return metricValue(platform, SERVICE.key, series);
  }
});

function question(): object {
  const handbook = { role: 'system', content: 'The office opens at nine. Lunch is served at noon.' };
  return { model: 'builtin-extractive', messages: [handbook, userMessage('When is lunch?')] };
}
