import { describe, expect, it } from '@jest/globals';
import { folderContents } from '../../support/probes/folder-contents.js';
import { createTestDatabaseFolder } from '../../support/servers/database.js';
import { startGateway } from '../../support/servers/gateway.js';
import { REDIS_URL } from '../../support/servers/services.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { redisDump } from '../../support/probes/redis-dump.js';
import { completeEvents, namedEventsOf, response } from '../../support/builders/response-streams.js';
import { stream } from '../../support/servers/scripted-backend.js';
import { useGateway } from '../../support/servers/use-servers.js';

const SECRETS = ['prompt-7733', 'answer-9411'];

describe.each(REDIS_URL ? ['memory', 'Redis'] : ['memory'])('the contexts of responses in %s', (kind) => {
  const gateway = useGateway(() => ({
    env: { REDIS_URL: kind === 'Redis' ? (REDIS_URL ?? '') : '' },
    createDatabase: createTestDatabaseFolder,
  }));

  it('leave prompts, answers and ids nowhere in clear', async () => {
    gateway.backend.answer(response('answer-9411'), response('answer-9411'), stream(...completeEvents('answer-9411')));

    const first = await respond('', { instructions: 'prompt-7733' });
    const second = await respond(`/${first.body.id}/continue`, {});
    const third = await respond(`/${second.body.id}/continue`, { stream: true });
    await respond(`/${second.body.id}/continue`, { temperature: 9 });

    const places: Buffer[] = [Buffer.from(gateway.platform.logLines.join('\n'))];
    if (!gateway.platform.config.databaseUrl) places.push(folderContents(gateway.platform.config.dataDir));
    if (kind === 'Redis') places.push(await redisDump(REDIS_URL ?? ''));
    const ids = [first.body.id, second.body.id, namedEventsOf(third.body).at(-1).response.id] as string[];
    for (const place of places) {
      expect([...SECRETS, ...ids].filter((secret) => place.includes(secret.replace('resp_', '')))).toEqual([]);
    }
  });

  (kind === 'Redis' ? it : it.skip)('are there after a restart, for whichever process serves next', async () => {
    gateway.backend.answer(response('One.'), response('Two.'));
    const first = await respond('', {});

    await gateway.platform.restart();
    const second = await respond(`/${first.body.id}/continue`, {});

    expect([second.status, second.body.previous_response_id]).toEqual([200, first.body.id]);
    expect(gateway.backend.requests.at(-1)?.body.input).toHaveLength(3);
  });

  function respond(path: string, members: object): Promise<RestAnswer> {
    return gateway.respond({ input: 'prompt-7733', ...members }, path);
  }
});

describe('without its Redis', () => {
  it('the server starts and answers, and a continue is 503', async () => {
    const gateway = await startGateway({ env: { REDIS_URL: 'redis://127.0.0.1:1' } });
    gateway.backend.answer(response('One.'));

    const first = await gateway.respond();
    const second = await gateway.respond({}, `/${first.body.id}/continue`);
    const health = await gateway.get('/health');
    await gateway.close();

    expect(first.status).toBe(200);
    expect([second.status, second.body.error.code]).toEqual([503, 'unavailable']);
    expect(second.headers.get('retry-after')).toBe('1');
    expect(health.body).toMatchObject({ status: 'degraded', checks: { cache: 'down' } });
  });
});
