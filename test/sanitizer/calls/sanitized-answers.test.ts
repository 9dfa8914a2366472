import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChatTransports } from '../../support/builders/chat-transports.js';
import type { OpenChat } from '../../support/builders/chat-transports.js';
import { usedOf } from '../../support/builders/quota.js';
import { completeEvents, namedEventsOf, response } from '../../support/builders/response-streams.js';
import { SanitizedGateway } from '../../support/servers/sanitized-gateway.js';
import { chunk, completion, DONE, json, stream } from '../../support/servers/scripted-backend.js';
import type { AnyJson } from '../../support/probes/any-json.js';

const ADA = 'ada@example.com';
const OUTPUT = { applies_to: 'output' } as const;

describe('what models answer', () => {
  let calls: SanitizedGateway;

  beforeAll(async () => {
    calls = await SanitizedGateway.start({ backends: [{ supports: ['chat', 'completions', 'responses'] }] });
  });
  afterAll(() => calls.close());

  it('is masked in whole answers, in texts, thoughts, calls, sources and whatever else there is', async () => {
    await calls.use([OUTPUT]);
    const message = {
      role: 'assistant',
      content: `Mail ${ADA}`,
      reasoning_content: ADA,
      refusal: ADA,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: `{"to":"${ADA}"}` } }],
      annotations: [{ type: 'url_citation', url_citation: { title: ADA } }],
      thinking_blocks: [{ thinking: ADA }],
    };
    const logprobs = { content: [{ token: ADA, top_logprobs: [] }] };
    calls.gateway.backend.answer(json(200, { choices: [{ index: 0, message, logprobs }], citations: [ADA] }));

    const { body } = await calls.gateway.chat();

    expect(JSON.stringify(body)).not.toContain('example.com');
    expect(body.choices[0].message.tool_calls[0].function.arguments).toBe('{"to":"[EMAIL]"}');
    expect(JSON.stringify(body).split('[EMAIL]').length - 1).toBe(7);
  });

  it('is masked in streams, wherever they cut it, on each transport', async () => {
    await calls.use([OUTPUT]);
    const transports = new ChatTransports(calls.gateway).all;
    const seen: string[] = [];
    for (const [, open] of transports) {
      calls.gateway.backend.answer(
        stream(
          ...['Mail a', 'da@exa', 'mple.c', 'om now'].map((content) => chunk({ content })),
          chunk({}, 'stop'),
          DONE,
        ),
      );

      const chunks = await readAll(await open());

      expect(JSON.stringify(chunks)).not.toMatch(/a?da@|example|mple\.c/);
      seen.push(contentOf(chunks));
    }

    expect(seen).toEqual(['Mail [EMAIL] now', 'Mail [EMAIL] now', 'Mail [EMAIL] now']);
  });

  it('is masked in each choice and each call of a tool by itself', async () => {
    await calls.use([OUTPUT]);
    const piece = (index: number, content: string) => ({ index, delta: { content }, finish_reason: null });
    const call = (index: number, args: string) => ({ index, function: { arguments: args } });
    calls.gateway.backend.answer(
      stream(
        raw([piece(0, 'ada@'), piece(1, 'bob@')]),
        raw([piece(1, 'example.com.'), piece(0, 'example.org.')]),
        raw([{ index: 2, delta: { tool_calls: [call(0, '{"a":"ada'), call(1, '{"b":"bob')] }, finish_reason: null }]),
        raw([
          {
            index: 2,
            delta: { tool_calls: [call(1, '@example.com"}'), call(0, '@example.org"}')] },
            finish_reason: null,
          },
        ]),
        raw([0, 1, 2].map((index) => ({ index, delta: {}, finish_reason: 'stop' }))),
        DONE,
      ),
    );

    const { body } = await calls.gateway.chat({ n: 3, stream: true });

    const choices = chunksOf(body).flatMap(({ choices: list }) => list);
    const text = (index: number) =>
      choices
        .filter((choice) => choice.index === index)
        .map(({ delta }) => delta.content ?? '')
        .join('');
    const pieces = choices.flatMap(({ delta }): AnyJson[] => delta.tool_calls ?? []);
    const args = (index: number) =>
      pieces
        .filter((entry) => entry.index === index)
        .map((entry) => entry.function.arguments)
        .join('');
    expect([text(0), text(1), args(0), args(1)]).toEqual([
      '[EMAIL].',
      '[EMAIL].',
      '{"a":"[EMAIL]"}',
      '{"b":"[EMAIL]"}',
    ]);
  });

  it('is masked in text completions', async () => {
    await calls.use([OUTPUT]);
    const piece = (text: string, finish: string | null = null) => ({ index: 0, text, finish_reason: finish });
    calls.gateway.backend.answer(stream(raw([piece('ada@exam')]), raw([piece('ple.com', 'stop')]), DONE));

    const { body } = await calls.gateway.post('/v1/completions', { model: 'scripted', prompt: 'Who?', stream: true });

    expect(
      chunksOf(body)
        .map(({ choices }) => choices[0].text)
        .join(''),
    ).toBe('[EMAIL]');
  });

  it('is masked in responses, in pieces and in the events that repeat the whole', async () => {
    await calls.use([OUTPUT]);
    calls.gateway.backend.answer(
      response(`Mail ${ADA}`),
      stream(...completeEvents('Mail ada@', 'example.com', ' now')),
    );

    const whole = await calls.gateway.respond();
    const streamed = await calls.gateway.respond({ stream: true });

    const events = namedEventsOf(String(streamed.body));
    expect(whole.body.output[0].content[0].text).toBe('Mail [EMAIL]');
    expect(JSON.stringify(events)).not.toMatch(/ada@|example\.com/);
    expect(
      events
        .filter(({ type }) => type === 'response.output_text.delta')
        .map(({ delta }) => delta)
        .join(''),
    ).toBe('Mail [EMAIL] now');
    expect(events.at(-1).response.output[0].content[0].text).toBe('Mail [EMAIL] now');
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
  });

  it('is refused whole, and charged, where a policy blocks it', async () => {
    await calls.use([{ ...OUTPUT, action: 'block' }]);
    const before = await usedOf(calls.gateway);
    calls.gateway.backend.answer(
      completion(`Mail ${ADA}`, { usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } }),
    );

    const { status, body } = await calls.gateway.chat();

    expect([status, body.error.code]).toEqual([422, 'content_blocked']);
    expect(JSON.stringify(body)).not.toContain('ada');
    expect((await usedOf(calls.gateway)).tokens - before.tokens).toBe(7);
  });

  it('ends with the error event in the middle of a stream where a policy blocks it, on each transport', async () => {
    await calls.use([{ ...OUTPUT, action: 'block' }]);
    const told: string[] = [];
    for (const [, open] of new ChatTransports(calls.gateway).all) {
      const gate = Promise.withResolvers<void>();
      const pieces = ['Mail ada@exa', 'mple.com ', 'now'].map((content) => chunk({ content }));
      calls.gateway.backend.answer(stream(chunk({ content: 'Good morning. ' }), gate.promise, ...pieces, DONE));
      const chat = await open();
      const first = await chat.next();
      gate.resolve();

      const rest = await readAll(chat);

      told.push(JSON.stringify([first, rest, chat.errors?.()]));
    }

    for (const text of told) {
      expect(text).toContain('Good morning. ');
      expect(text).toContain('content_blocked');
      expect(text).not.toMatch(/ada|example/);
    }
  });

  it('is masked in errors that repeat it', async () => {
    await calls.use([OUTPUT]);
    const error = { message: `There is no ${ADA}.`, param: `messages of ${ADA}`, code: 400 };
    calls.gateway.backend.answer(
      json(400, { error }),
      stream(chunk({ content: 'Hi' }), `data: ${JSON.stringify({ error })}\n\n`),
    );

    const whole = await calls.gateway.chat();
    const streamed = await calls.gateway.chat({ stream: true });

    expect(whole.body.error).toMatchObject({ message: 'There is no [EMAIL].', param: 'messages of [EMAIL]' });
    expect(String(streamed.body)).toContain('There is no [EMAIL].');
    expect(JSON.stringify([whole.body, streamed.body])).not.toContain(ADA);
  });

  it('is masked in names and numbers, and where a word of a fixed list is expected', async () => {
    await calls.use([OUTPUT, { ...OUTPUT, kind: 'credit_card' }]);
    const input = { [ADA]: 1, card: 4_111_111_111_111_111 };
    const message = { role: ADA, content: 'Hi', tool_calls: [{ id: 'c', type: 'function', function: { input } }] };
    calls.gateway.backend.answer(json(200, { created: 1_760_000_000, choices: [{ index: 0, message }] }));

    const { body } = await calls.gateway.chat();

    expect(body.choices[0].message.tool_calls[0].function.input).toEqual({ '[EMAIL]': 1, card: '[CREDIT_CARD]' });
    expect([body.choices[0].message.role, body.created]).toEqual(['[EMAIL]', 1_760_000_000]);
  });

  it('is relayed as it came where all rules are for prompts', async () => {
    await calls.use([{ applies_to: 'input' }]);
    const oddly = `data: {"choices" : [ {"index":0, "delta":{"content":"${ADA}"}} ],"model":"scripted"}\n\n`;
    calls.gateway.backend.answer(stream(oddly, chunk({}, 'stop'), DONE));

    const { body } = await calls.gateway.chat({ stream: true });

    expect(String(body)).toContain(oddly);
  });
});

function raw(choices: readonly object[]): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices })}\n\n`;
}

async function readAll(chat: OpenChat): Promise<AnyJson[]> {
  const chunks: AnyJson[] = [];
  for (let next = await chat.next(); next; next = await chat.next()) chunks.push(next);
  return chunks;
}

function chunksOf(body: unknown): AnyJson[] {
  const frames = String(body).trim().split('\n\n').slice(0, -1);
  return frames.map((frame) => JSON.parse(frame.slice('data: '.length)));
}

function contentOf(chunks: readonly AnyJson[]): string {
  return chunks
    .flatMap(({ choices }): AnyJson[] => choices)
    .map(({ delta }) => delta.content ?? '')
    .join('');
}
