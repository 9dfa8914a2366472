import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AnswerText, TextTransform } from '../../../src/inference/calls/text-transform.js';
import { userMessage } from '../../support/builders/chat-request.js';
import { sseResults } from '../../support/builders/graphql-clients.js';
import { completeEvents, namedEventsOf, response } from '../../support/builders/response-streams.js';
import { chunk, completion, DONE, event, json, stream } from '../../support/servers/scripted-backend.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { useGateway } from '../../support/servers/use-servers.js';

const ASK = { model: 'scripted', messages: [userMessage('Who is here?')] };

describe.each([
  ['native', ['chat', 'completions', 'responses', 'embeddings']],
  ['through chat', ['chat', 'completions', 'embeddings']],
])('a transform of texts, with responses %s', (_how, supports) => {
  const gateway = useGateway(() => ({ backends: [{ supports }] }));

  beforeAll(async () => {
    gateway.platform.app.ports.models.use(() => new Pseudonyms());
  });
  beforeEach(() => gateway.backend.reset());

  it.each(Object.entries(prompts()))('reaches the prompts of %s, wherever they stand', async (path, bodies) => {
    for (const body of bodies) await gateway.post(path, { model: 'scripted', ...body });

    const sent = JSON.stringify(gateway.backend.requests.map((request) => request.body));
    expect(gateway.backend.requests).toHaveLength(bodies.length);
    expect(sent).not.toContain('Ada');
    expect(sent.split('P-7').length - 1).toBe(JSON.stringify(bodies).split('Ada').length - 1);
  });

  it('reaches whole chat answers: texts, thoughts, refusals and calls of tools', async () => {
    const message = {
      content: 'P-7 is here.',
      reasoning_content: 'Is P-7 here?',
      refusal: 'Not P-7!',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'find', arguments: '{"who":"P-7"}' } }],
    };
    gateway.backend.answer(json(200, { choices: [{ index: 0, message, logprobs: { content: [{ token: 'P-7' }] } }] }));

    const { body } = await gateway.post('/v1/chat/completions', ASK);

    expect(body.choices[0].message).toEqual(JSON.parse(JSON.stringify(message).replaceAll('P-7', 'Ada')));
    expect(JSON.stringify(body)).not.toContain('P-7');
  });

  it('reaches whole text completions', async () => {
    gateway.backend.answer(json(200, { choices: [{ index: 0, text: 'P-7 and P-', finish_reason: 'stop' }] }));

    const { body } = await gateway.post('/v1/completions', { model: 'scripted', prompt: 'Who?' });

    expect(body.choices[0].text).toBe('Ada and P-');
  });

  it('reaches whole responses, and what they are continued from', async () => {
    const isNative = supports.includes('responses');
    const whole = (text: string) => (isNative ? response(text) : completion(text));
    gateway.backend.answer(whole('P-7 is here.'), whole('Yes.'));

    const { body } = await gateway.post('/v1/responses', { model: 'scripted', input: 'Where is Ada?' });
    await gateway.post(`/v1/responses/${body.id}/continue`, { model: 'scripted', input: 'Sure?' });

    expect(body.output[0].content[0].text).toBe('Ada is here.');
    const continued = JSON.stringify(gateway.backend.requests[1]?.body);
    expect(continued).toContain('Where is P-7?');
    expect(continued).toContain('P-7 is here.');
    expect(continued).not.toContain('Ada');
  });

  it.each([true, false])('reaches chat streams whose pieces cut a word (by event: %s)', async (byEvent) => {
    gateway.backend.answer(
      stream(
        chunk({ role: 'assistant', content: 'Hello P' }),
        chunk({ content: '-' }),
        chunk({ content: '7, and P' }),
        chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'find', arguments: '{"who":"P' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '-7"}' } }] }),
        chunk({}, 'stop'),
        DONE,
      ),
    );

    const choices = byEvent ? await choicesOverGraphql() : await choicesOverRest('/v1/chat/completions', ASK);

    const deltas = choices.map(({ delta }) => delta);
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe('Hello Ada, and P');
    const calls = deltas.flatMap(({ tool_calls: pieces }): AnyJson[] => pieces ?? []);
    expect(calls.map((call) => call.function.arguments).join('')).toBe('{"who":"Ada"}');
    expect(choices.at(-1)).toMatchObject({ finish_reason: 'stop' });
  });

  it('sends what it holds back where a stream ends without a reason', async () => {
    gateway.backend.answer(stream(chunk({ content: 'P' }), chunk({ content: '-' }), DONE));

    const choices = await choicesOverRest('/v1/chat/completions', ASK);

    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe('P-');
  });

  it('reaches streamed text completions in both of their forms', async () => {
    const piece = (text: string, finishReason: string | null = null) =>
      event({ id: 'c', object: 'text_completion', choices: [{ index: 0, text, finish_reason: finishReason }] });
    gateway.backend.answer(stream(piece('P-'), piece('7 is'), piece(' P', 'stop'), DONE));

    const choices = await choicesOverRest('/v1/completions', { model: 'scripted', prompt: 'Who?' });

    expect(choices.map(({ text }) => text).join('')).toBe('Ada is P');
    expect(choices.map(({ delta }) => delta.content).join('')).toBe('Ada is P');
  });

  it('reaches streamed responses: the pieces, and the events that repeat the whole', async () => {
    const isNative = supports.includes('responses');
    const chunks = [chunk({ content: 'P' }), chunk({ content: '-7 is P-' }), chunk({}, 'stop'), DONE];
    gateway.backend.answer(isNative ? stream(...completeEvents('P', '-7 is P-')) : stream(...chunks));

    const { body } = await gateway.post('/v1/responses', { model: 'scripted', input: 'Who?', stream: true });

    const events = namedEventsOf(String(body));
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas.map(({ delta }) => delta).join('')).toBe('Ada is P-');
    expect(events.find(({ type }) => type === 'response.output_text.done').text).toBe('Ada is P-');
    expect(events.at(-1).response.output[0].content[0].text).toBe('Ada is P-');
    expect(events.map((entry) => entry.sequence_number)).toEqual(events.map((_entry, index) => index));
    expect(JSON.stringify(events)).not.toContain('P-7');
  });

  async function choicesOverRest(path: string, ask: object): Promise<AnyJson[]> {
    const { body } = await gateway.post(path, { ...ask, stream: true });
    const data = String(body).split('\n\n').slice(0, -2);
    return data.flatMap((line) => JSON.parse(line.slice('data: '.length)).choices);
  }

  async function choicesOverGraphql(): Promise<AnyJson[]> {
    const query = 'subscription ($body: JSON!) { chatCompletionStream(body: $body) { raw } }';
    const body = { query, variables: { body: ASK } };
    const { body: text } = await gateway.post('/graphql', body, { headers: { accept: 'text/event-stream' } });
    const chunks = sseResults(text).map(({ data }) => data.chatCompletionStream.raw);
    return chunks.flatMap(({ choices }) => choices);
  }
});

/** Ada is P-7 for every model. */
class Pseudonyms implements TextTransform {
  transformPrompt(text: string): string {
    return text.replaceAll('Ada', 'P-7');
  }

  beginAnswer(): AnswerText {
    let held = '';
    return {
      write: (piece) => {
        const text = (held + piece).replaceAll('P-7', 'Ada');
        held = /P-?$/.exec(text)?.[0] ?? '';
        return text.slice(0, text.length - held.length);
      },
      end: () => held,
    };
  }
}

/** Bodies that name Ada, by their path. */
function prompts(): Readonly<Record<string, readonly object[]>> {
  return {
    '/v1/chat/completions': [
      {
        messages: [
          { role: 'system', content: 'You help Ada.' },
          { role: 'user', content: [{ type: 'text', text: 'I am Ada.' }], name: 'Ada' },
          {
            role: 'assistant',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '"Ada"' } }],
          },
          { role: 'tool', tool_call_id: 'c', content: 'Ada' },
        ],
        tools: [
          { type: 'function', function: { name: 'f', description: 'Finds Ada.', parameters: { type: 'object' } } },
        ],
      },
    ],
    '/v1/completions': [{ prompt: 'Ada is' }, { prompt: ['Ada', 'and Ada'], suffix: 'Ada' }, { prompt: [1, 'Ada'] }],
    '/v1/responses': [
      { input: 'I am Ada.', instructions: 'Help Ada.' },
      { input: [{ role: 'user', content: [{ type: 'input_text', text: 'I am Ada.' }] }] },
    ],
    '/v1/embeddings': [{ input: 'Ada' }, { input: ['Ada', 'and Ada'] }],
  };
}
