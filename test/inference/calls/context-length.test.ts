import { describe, expect, it } from '@jest/globals';
import { chunk, event, json, stream } from '../../support/servers/scripted-backend.js';
import type { Script } from '../../support/servers/scripted-backend.js';
import { eventsOf, recordedBody } from '../../support/probes/stream-probe.js';
import { useGateway } from '../../support/servers/use-servers.js';

const MESSAGE = 'request (3002 tokens) exceeds the available context size (2048 tokens), try increasing it';
const REASON = { code: 'bad_request', reason: 'context_length_exceeded' };
const TOLD = { message: MESSAGE, type: 'invalid_request_error', ...REASON };

describe('a prompt that is too long for its model', () => {
  const gateway = useGateway();

  it.each(errors())('is the client’s to mend, and is told with its reason: %j', async (error) => {
    const refused: Script = json(400, { error });
    gateway.backend.answer(refused, refused, refused, json(500, { error }));

    const answers = [
      await gateway.chat(),
      await gateway.chat({ stream: true }),
      await gateway.respond(),
      await gateway.chat(),
    ];

    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body.error).toMatchObject(TOLD);
    }
  });

  it.each(errors())('is told so in a stream too: %j', async (error) => {
    gateway.backend.answer(
      stream(chunk({ content: 'Hel' }), event({ error })),
      stream(
        `event: response.created\ndata: ${JSON.stringify({ type: 'response.created', response: { id: 'r' } })}\n\n`,
        `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`,
      ),
    );

    const chatted = await gateway.chat({ stream: true });
    const responded = await gateway.respond({ stream: true });

    expect(eventsOf(chatted.body).at(-1)).toMatchObject({ error: TOLD });
    expect(responded.body).toMatch(/event: response\.failed\ndata: .*"reason":"context_length_exceeded"/);
  });

  it('is not what another refusal is', async () => {
    gateway.backend.answer(json(400, { error: { message: 'No.', type: 'invalid_request_error', code: 400 } }));

    const { body } = await gateway.chat();

    expect(body.error).toEqual({ message: 'No.', type: 'invalid_request_error', code: 'bad_request' });
  });
});

/** As llama.cpp says it, and as OpenAI does. */
function errors() {
  return [
    JSON.parse(recordedBody('err_ctx').toString()).error,
    { message: MESSAGE, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
  ] as const;
}
