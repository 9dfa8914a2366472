import { afterEach, describe, expect, it } from '@jest/globals';
import { CHAT } from '../support/builders/chat-request.js';
import type { AnyJson } from '../support/probes/any-json.js';
import { eventually } from '../support/probes/eventually.js';
import { chunk, cutOff, event, hanging, stream, wholeStream } from '../support/servers/scripted-backend.js';
import type { Script } from '../support/servers/scripted-backend.js';
import { useGateway } from '../support/servers/use-servers.js';

const BEGUN = chunk({ content: 'Hel' });

describe('the line of a request in the log', () => {
  const gateway = useGateway({ backends: [{ supports: ['chat'] }] });
  let requests = 0;

  afterEach(() => gateway.backend.reset());

  it.each<[what: string, outcome: string, script: Script]>([
    ['is whole', 'completed', stream(...wholeStream('Hello.'))],
    ['is cut off', 'failed', cutOff(BEGUN)],
    ['ends too early', 'failed', stream(BEGUN)],
    ['ends with an error', 'failed', stream(BEGUN, event({ error: { message: 'No.' } }))],
  ])('tells that a stream %s, whatever the transport: %s', async (_what, outcome, script) => {
    gateway.backend.answer(script, script, script);
    const query = 'subscription ($body: JSON!) { chatCompletionStream(body: $body) { id } }';
    const sse = { accept: 'text/event-stream' };

    const lines = [
      await lineOf('/v1/chat/completions', { ...CHAT, stream: true }),
      await lineOf('/v1/responses', { model: 'scripted', input: 'Hi.', stream: true }),
      await lineOf('/graphql', { query, variables: { body: CHAT } }, sse),
    ];

    expect(lines.map((line) => [line.status, line.outcome])).toEqual(Array(3).fill([200, outcome]));
  });

  it('tells of other answers by their status', async () => {
    const refused = await lineOf('/v1/chat/completions', { ...CHAT, model: 'nobody' });

    expect(refused).toMatchObject({ status: 404, outcome: 'failed' });
  });

  it('tells of a client who left', async () => {
    gateway.backend.answer(hanging(BEGUN));
    const asked = gateway.backend.nextRequest();
    const leaving = new AbortController();

    const id = 'left';
    const left = gateway.chat({ stream: true }, { headers: { 'x-request-id': id }, signal: leaving.signal });
    await asked;
    leaving.abort();

    await expect(left).rejects.toThrow();
    expect(await loggedLine(id)).toMatchObject({ status: 499, outcome: 'cancelled' });
  });

  async function lineOf(path: string, body: object, headers: Record<string, string> = {}): Promise<AnyJson> {
    requests += 1;
    const id = `request-${requests}`;
    await gateway.post(path, body, { headers: { ...headers, 'x-request-id': id } });
    return loggedLine(id);
  }

  function loggedLine(id: string): Promise<AnyJson> {
    return eventually('the request is logged', 5, () => {
      const lines = gateway.platform.logLines.map((line) => JSON.parse(line) as AnyJson);
      return lines.find(({ msg, request_id: named }) => msg === 'request' && named === id);
    });
  }
});
