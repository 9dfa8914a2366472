import { afterEach, describe, expect, it } from '@jest/globals';
import { completeEvents, namedEvent, response, responseObject } from '../../support/builders/response-streams.js';
import { lastSettledCalls } from '../../support/probes/ledger-rows.js';
import { metricLines } from '../../support/probes/metrics.js';
import { chunk, stream } from '../../support/servers/scripted-backend.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { useGateway } from '../../support/servers/use-servers.js';

const SERVICE = newServiceKey();
const OUTCOMES = [
  ['completed', 'completed'],
  ['incomplete', 'completed'],
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
] as const;
const USED = { prompt_tokens: 5, completion_tokens: 2, state: 'exact' };

describe('a response that ends', () => {
  const gateway = useGateway({ env: SERVICE.env });

  afterEach(() => gateway.backend.reset());

  it.each(OUTCOMES)('in response.%s is %s in the ledger, with its usage', async (status, outcome) => {
    const last = namedEvent(`response.${status}`, { sequence_number: 9, response: responseObject('Hi', { status }) });
    gateway.backend.answer(stream(...completeEvents('Hi').slice(0, -1), last));

    const { body } = await gateway.respond({ stream: true });

    expect(body).toContain(`event: response.${status}\n`);
    expect(await lastSettledCalls(gateway.platform)).toMatchObject([{ ...USED, outcome }]);
  });

  it.each(OUTCOMES)('with the status %s as a whole is %s in the ledger, with its usage', async (status, outcome) => {
    gateway.backend.answer(response('Hi', { status }));

    const { body } = await gateway.respond();

    expect(body.status).toBe(status);
    expect(await lastSettledCalls(gateway.platform)).toMatchObject([{ ...USED, outcome }]);
  });

  it('is told by the name of its last event, whatever the status in it', async () => {
    const last = namedEvent('response.failed', { response: responseObject('Hi', { status: 'in_progress' }) });
    gateway.backend.answer(stream(last));

    const { body } = await gateway.respond({ stream: true });

    expect(body).toContain('"status":"failed"');
    expect(await lastSettledCalls(gateway.platform)).toMatchObject([{ ...USED, outcome: 'failed' }]);
  });

  it('is counted by its outcome', async () => {
    const failed = await count('failed');
    gateway.backend.answer(response('', { status: 'failed' }), stream(failure()));

    await gateway.respond();
    await gateway.respond({ stream: true });

    expect(await count('failed')).toBe(failed + 2);
  });

  it('in an error keeps the usage that the error tells', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2 };
    gateway.backend.answer(stream(chunk({ content: 'Hi' }), chunk({}, null, { error: { message: 'no' }, usage })));

    await gateway.chat({ stream: true });

    expect(await lastSettledCalls(gateway.platform)).toMatchObject([{ ...USED, outcome: 'failed' }]);
  });

  async function count(outcome: string): Promise<number> {
    const lines = await metricLines(gateway.platform, SERVICE.key);
    const counted = lines.filter((line) => line.startsWith('platform_upstream_calls_total') && line.includes(outcome));
    return counted.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }
});

function failure(): string {
  return namedEvent('response.failed', { response: responseObject('', { status: 'failed' }) });
}
