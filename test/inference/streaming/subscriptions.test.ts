import { describe, expect, it } from '@jest/globals';
import { sseResults } from '../../support/builders/graphql-clients.js';
import { stream } from '../../support/servers/scripted-backend.js';
import { recordedBody } from '../../support/probes/stream-probe.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('streamed completions and responses as subscriptions', () => {
  const gateway = useGateway();

  it('give completions piece by piece', async () => {
    gateway.backend.answer(stream(recordedBody('comp_stream')));

    const chunks = await subscribe('completionStream', 'model choices { text finishReason }', {
      body: { model: 'scripted', prompt: 'One' },
    });

    expect(chunks).toEqual([
      { model: 'scripted', choices: [{ text: ' supporting', finishReason: null }] },
      { model: 'scripted', choices: [{ text: ' gap', finishReason: null }] },
      { model: 'scripted', choices: [{ text: '', finishReason: 'length' }] },
    ]);
  });

  it('give responses event by event, and their continuation', async () => {
    gateway.backend.answer(stream(recordedBody('resp_stream')), stream(recordedBody('resp_stream')));
    const body = { model: 'scripted', input: 'Hello?' };

    const first = await subscribe('responseStream', 'type sequenceNumber delta raw', { body });
    const { response } = first.at(-1).raw;
    const second = await subscribe('responseStream', 'type raw', { body, id: response.id });

    expect(first.map(({ delta }) => delta ?? '').join('')).toBe('首HC важ');
    expect(first.map(({ sequenceNumber }) => sequenceNumber)).toEqual(first.map((_, index) => index));
    expect(first.at(-1).type).toBe('response.completed');
    expect(second.at(-1).raw.response.previous_response_id).toBe(response.id);
    expect(gateway.backend.requests.at(-1)?.body.input).toHaveLength(3);
  });

  /** The values of a subscription, over graphql-sse. */
  async function subscribe(field: string, selection: string, variables: Record<string, unknown>) {
    const declared = Object.keys(variables).map((name) => `$${name}: ${name === 'id' ? 'ID!' : 'JSON!'}`);
    const given = Object.keys(variables).map((name) => `${name}: $${name}`);
    const query = `subscription (${declared.join(', ')}) { ${field}(${given.join(', ')}) { ${selection} } }`;
    const { body } = await gateway.post('/graphql', { query, variables }, { headers: { accept: 'text/event-stream' } });
    return sseResults(body).map(({ data }) => data[field]);
  }
});
