import { afterEach, describe, expect, it } from '@jest/globals';
import { useGateway } from '../../support/servers/use-servers.js';

describe('a bound of -1 for an answer, which stands for none', () => {
  const gateway = useGateway();

  afterEach(() => gateway.backend.reset());

  const messages = [{ role: 'user', content: 'Hi' }];

  it.each([
    ['chat/completions', 'max_tokens', { messages }],
    ['chat/completions', 'max_completion_tokens', { messages }],
    ['completions', 'max_tokens', { prompt: 'Hi' }],
  ])('passes to the model server in %s as %s; what is less is refused', async (path, field, body) => {
    const unbound = await gateway.post(`/v1/${path}`, { model: 'scripted', ...body, [field]: -1 });
    const less = await gateway.post(`/v1/${path}`, { model: 'scripted', ...body, [field]: -2 });

    expect(unbound.status).toBe(200);
    expect(gateway.backend.requests.map((request) => request.body[field])).toEqual([-1]);
    expect([less.status, less.body.error.param]).toEqual([400, field]);
  });

  it('is refused for responses, whose bound is at least 1', async () => {
    const { status, body } = await gateway.post('/v1/responses', {
      model: 'scripted',
      input: 'Hi',
      max_output_tokens: -1,
    });

    expect([status, body.error.param]).toEqual([400, 'max_output_tokens']);
  });
});
