import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADA, BOB, echo, PSEUDONYMS, spellings } from '../../support/builders/pseudonym-echo.js';
import { SanitizedGateway } from '../../support/servers/sanitized-gateway.js';
import { completeEvents, namedEventsOf, response } from '../../support/builders/response-streams.js';
import { chunk, completion, DONE, json, stream } from '../../support/servers/scripted-backend.js';
import type { AnyJson } from '../../support/probes/any-json.js';

const user = (content: string) => ({ messages: [{ role: 'user', content }] });

describe.each([
  ['that keeps responses', ['chat', 'responses', 'responses_store']],
  ['that keeps nothing', ['chat', 'responses']],
  ['of chat alone', ['chat']],
])('pseudonyms before a model server %s', (_kind, supports) => {
  let calls: SanitizedGateway;

  beforeAll(async () => {
    calls = await SanitizedGateway.start({ backends: [{ supports }] });
    await calls.use([{ action: 'pseudonymize', applies_to: 'input' }]);
  });
  afterAll(() => calls.close());

  it('are all that a model sees, and their originals all that the caller does', async () => {
    calls.gateway.backend.byDefault = echo;

    const { body } = await calls.gateway.chat(user(`From ${ADA} to ${BOB}, copy to ${ADA}`));

    expect(calls.sent).toContain('From <EMAIL_1> to <EMAIL_2>, copy to <EMAIL_1>');
    expect(body.choices[0].message.content).toBe(`From ${ADA} to ${BOB}, copy to ${ADA}`);
  });

  it.each(spellings())('are restored however a model writes them: %s', async (written, expected) => {
    calls.gateway.backend.answer(completion(`To ${written}.`));
    const whole = await calls.gateway.chat(user(ADA));
    calls.gateway.backend.answer(
      stream(...[...`To ${written}.`].map((content) => chunk({ content })), chunk({}, 'stop'), DONE),
    );
    const streamed = await calls.gateway.chat({ ...user(ADA), stream: true });

    expect(whole.body.choices[0].message.content).toBe(`To ${expected}.`);
    expect(contentOf(streamed.body)).toBe(`To ${expected}.`);
  });

  it('are left as they are where a model invents them, or the caller has written them', async () => {
    calls.gateway.backend.byDefault = echo;

    const { body } = await calls.gateway.chat(user(`${ADA} is not <EMAIL_1>, <EMAIL_3> or <PHONE_1>.`));

    expect(calls.sent).toContain('<EMAIL_2> is not <EMAIL_1>, <EMAIL_3> or <PHONE_1>.');
    expect(body.choices[0].message.content).toBe(`${ADA} is not <EMAIL_1>, <EMAIL_3> or <PHONE_1>.`);
  });

  it('are escaped where the answer is JSON', async () => {
    await calls.use([{ kind: 'words', words: ['say "hello" twice'], action: 'pseudonymize', applies_to: 'input' }]);
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"text":"<WORDS_1>"}' } }],
    };
    calls.gateway.backend.answer(json(200, { choices: [{ index: 0, message }] }), completion('{"text":"<WORDS_1>"}'));

    const called = await calls.gateway.chat(user('say "hello" twice'));
    const formatted = await calls.gateway.chat({
      ...user('say "hello" twice'),
      response_format: { type: 'json_object' },
    });

    const [call] = called.body.choices[0].message.tool_calls;
    expect(JSON.parse(call.function.arguments)).toEqual({ text: 'say "hello" twice' });
    expect(JSON.parse(formatted.body.choices[0].message.content)).toEqual({ text: 'say "hello" twice' });
    await calls.use([{ action: 'pseudonymize', applies_to: 'input' }]);
  });

  it('are not given in JSON to what the caller has sent, which the model writes with escapes', async () => {
    await calls.use([{ kind: 'words', words: ['say "hello" twice'], action: 'pseudonymize' }]);
    const args = '{"text":"say \\"hello\\" twice"}';
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: args } }],
    };
    calls.gateway.backend.answer(json(200, { choices: [{ index: 0, message }] }));

    const { body } = await calls.gateway.chat(user('say "hello" twice'));

    expect(body.choices[0].message.tool_calls[0].function.arguments).toBe(args);
    await calls.use([{ action: 'pseudonymize', applies_to: 'input' }]);
  });

  it('are texts in JSON where they stand for numbers', async () => {
    await calls.use([{ kind: 'credit_card', action: 'pseudonymize' }]);
    const call = (args: string) => ({ id: 'c', type: 'function', function: { name: 'f', arguments: args } });
    const turn = (args: string) => ({ role: 'assistant', content: null, tool_calls: [call(args)] });
    const message = turn('{"old":"<CREDIT_CARD_1>","new":5500005555555559}');
    calls.gateway.backend.answer(json(200, { choices: [{ index: 0, message }] }));
    const messages = [turn('{"card": 4111111111111111}'), { role: 'tool', tool_call_id: 'c', content: 'ok' }];

    const { body } = await calls.gateway.chat({ messages });

    expect(calls.sent).toContain(JSON.stringify('{"card": "<CREDIT_CARD_1>"}'));
    const [{ function: called }] = body.choices[0].message.tool_calls;
    expect(JSON.parse(called.arguments)).toEqual({ old: '4111111111111111', new: '<CREDIT_CARD_2>' });
    await calls.use([{ action: 'pseudonymize', applies_to: 'input' }]);
  });

  it('are not told twice in a conversation, and are restored as long as it goes on', async () => {
    const answers = ['Hello <EMAIL_1>', 'And <EMAIL_2>, <EMAIL_1>', '<EMAIL_3>? <EMAIL_1>'];
    const server = supports.includes('responses') ? response : completion;
    calls.gateway.backend.reset();
    calls.gateway.backend.answer(...answers.map((text) => server(text)));

    const first = await calls.gateway.respond({ input: `I am ${ADA}` });
    const second = await calls.gateway.respond({ input: `My friend is ${BOB}` }, `/${first.body.id}/continue`);
    const third = await calls.gateway.respond({ input: 'Who am I?', previous_response_id: second.body.id });

    expect([first, second, third].map(({ body }) => body.output[0].content[0].text)).toEqual([
      `Hello ${ADA}`,
      `And ${BOB}, ${ADA}`,
      `<EMAIL_3>? ${ADA}`,
    ]);
    expect(calls.sent).toContain('My friend is <EMAIL_2>');
    expect(calls.sent).not.toContain('@example');
  });

  it.each([
    ['the caller', 'I say <EMAIL_1>', 'Hello'],
    ['the model', 'Hi', 'You could be <EMAIL_1>'],
  ])('are not what %s has written earlier in the conversation', async (_who, input, answer) => {
    const server = supports.includes('responses') ? response : completion;
    calls.gateway.backend.reset();
    calls.gateway.backend.answer(server(answer), server('<EMAIL_1> or <EMAIL_2>'));

    const first = await calls.gateway.respond({ input });
    const second = await calls.gateway.respond({ input: `I am ${ADA}` }, `/${first.body.id}/continue`);

    expect(calls.sent).toContain('I am <EMAIL_2>');
    expect(second.body.output[0].content[0].text).toBe(`<EMAIL_1> or ${ADA}`);
  });

  it('are restored in streamed responses', async () => {
    const pieces = ['To <EM', 'AIL_1', '>!'];
    calls.gateway.backend.answer(
      supports.includes('responses')
        ? stream(...completeEvents(...pieces))
        : stream(...pieces.map((content) => chunk({ content })), chunk({}, 'stop'), DONE),
    );

    const { body } = await calls.gateway.respond({ input: `Greet ${ADA}`, stream: true });

    const events = namedEventsOf(String(body));
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas.map(({ delta }) => delta).join('')).toBe(`To ${ADA}!`);
    expect(events.at(-1).response.output[0].content[0].text).toBe(`To ${ADA}!`);
    expect(String(body)).not.toContain('EMAIL_1');
  });

  it('are restored in errors that repeat the prompt', async () => {
    calls.gateway.backend.answer(json(400, { error: { message: 'No: <EMAIL_1>', code: 400 } }));

    const { body } = await calls.gateway.chat(user(ADA));

    expect(body.error.message).toBe(`No: ${ADA}`);
  });

  it('are of one call: another call knows nothing of them', async () => {
    calls.gateway.backend.byDefault = echo;
    await calls.gateway.chat(user(ADA));

    const { body } = await calls.gateway.chat(user('Who is <EMAIL_1>?'));

    expect(body.choices[0].message.content).toBe('Who is <EMAIL_1>?');
    expect(PSEUDONYMS.test(calls.sent)).toBe(true);
  });
});

function contentOf(body: unknown): string {
  const frames = String(body).trim().split('\n\n').slice(0, -1);
  const chunks = frames.map((frame): AnyJson => JSON.parse(frame.slice('data: '.length)));
  return chunks
    .flatMap(({ choices }): AnyJson[] => choices)
    .map(({ delta }) => delta.content ?? '')
    .join('');
}
