import { afterEach, describe, expect, it } from '@jest/globals';
import { lastSettledCalls } from '../../support/probes/ledger-rows.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { json } from '../../support/servers/scripted-backend.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('vectors of another width', () => {
  const gateway = useGateway();

  afterEach(() => gateway.backend.reset());

  it.each([
    ['more dimensions than were asked for', 2, [[1, 2, 3]]],
    ['fewer', 4, [[1, 2, 3]]],
    ['another number as base64', 2, ['AACAPwAAgD8AAIA/']],
    ['different widths in one answer', undefined, [[1, 2], [1]]],
    ['different widths, of which one is right', 2, [[1, 2], [1]]],
  ])('are a bad upstream that names dimensions: %s', async (_what, dimensions, answered) => {
    gateway.backend.answer(json(200, { data: answered.map((embedding) => ({ embedding })) }));

    const { status, body } = await embed({ input: answered.map((_, index) => `x${index}`), dimensions });
    const [call] = await lastSettledCalls(gateway.platform);

    expect([status, body.error.code, body.error.param]).toEqual([502, 'bad_upstream', 'dimensions']);
    expect(body.error.message).toContain('dimensions');
    expect(call).toMatchObject({ outcome: 'failed', prompt_tokens: 0 });
  });

  it('are that in another batch, too', async () => {
    gateway.backend.byDefault = ({ body }) =>
      json(200, { data: body.input.map(() => ({ embedding: Array(body.input.length === 256 ? 2 : 3).fill(1) })) });

    const { status, body } = await embed({ input: Array.from({ length: 257 }, (_, index) => `x${index}`) });

    expect([status, body.error.param]).toEqual([502, 'dimensions']);
  });

  function embed(body: object): Promise<RestAnswer> {
    return gateway.post('/v1/embeddings', { model: 'scripted', ...body });
  }
});

describe('embeddings of a server that understands base64', () => {
  const gateway = useGateway({ backends: [{ supports: ['embeddings', 'embeddings_base64'] }] });

  it('are asked for as the client wants them', async () => {
    gateway.backend.answer(json(200, { data: [{ embedding: 'AACAPw==' }] }));
    const asked = { model: 'scripted', input: 'x', encoding_format: 'base64' };

    const { body } = await gateway.post('/v1/embeddings', asked);

    expect(body.data).toEqual([{ index: 0, embedding: 'AACAPw==' }]);
    expect(gateway.backend.requests[0]?.body).toEqual(asked);
  });
});
