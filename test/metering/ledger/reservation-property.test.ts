import { beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { greedyAnswer, greedyUsage, IMAGE } from '../../support/servers/greedy-server.js';
import { setQuota } from '../../support/builders/quota.js';
import { useGateway } from '../../support/servers/use-servers.js';

/** Without shrinking: the requests of a minute are limited. */
const RUNS = { numRuns: 150, endOnFailure: true };

const gateway = useGateway({ backends: [{ supports: ['chat', 'completions', 'responses'] }] });
const reservations: number[] = [];

beforeAll(async () => {
  await setQuota(gateway, { enforcing: true, tokens: Number.MAX_SAFE_INTEGER });
});

it('charges no more than was reserved where a model server tells no usage', async () => {
  gateway.backend.byDefault = (request) => greedyAnswer(request, noteReservation());

  await fc.assert(chargedWithinReserved(anyText()), RUNS);
});

it('charges no more than was reserved where a model server holds the bounds that it is sent', async () => {
  gateway.backend.byDefault = (request) =>
    greedyAnswer(
      request,
      noteReservation().then(() => greedyUsage(request)),
    );

  await fc.assert(chargedWithinReserved(english()), RUNS);
});

function english(): fc.Arbitrary<string> {
  const word = fc.constantFrom('hello ', 'the weather ', 'a dull boy ', 'x', '', 'What is this? ');
  return fc.array(word, { maxLength: 60 }).map((words) => words.join(''));
}

function anyText(): fc.Arbitrary<string> {
  const binary = fc.string({ unit: 'binary', maxLength: 300 });
  return fc.oneof(english(), binary, fc.constant('1234567890'.repeat(30)));
}

/** Bounds of answers, by the names that engines give them. */
function bounds(): fc.Arbitrary<object> {
  const number = fc.integer({ min: 1, max: 9_000 });
  const bound = fc.oneof(fc.integer({ min: -1, max: 9_000 }), number.map(String), fc.constant(null));
  return fc.dictionary(
    fc.constantFrom(
      'n_predict',
      'num_predict',
      'max_new_tokens',
      'max_length',
      'min_tokens',
      'budget_tokens',
      'n_cmpl',
    ),
    bound,
    { maxKeys: 3 },
  );
}

/** Bodies of every operation, with texts in places of all kinds. */
function bodies(text: fc.Arbitrary<string>): fc.Arbitrary<[path: string, body: object]> {
  const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.record({ deep: fc.record({ deeper: text }) }));
  const name = fc.oneof(fc.constantFrom('other', 'name', '__proto__', 'constructor'), text);
  const other = fc.dictionary(name, value, { maxKeys: 2 });
  const part = fc.oneof(
    text.map((content) => ({ type: 'text', text: content })),
    text.map((url) => ({ type: 'image_url', image_url: { url } })),
    fc.constant({ type: 'image_url', image_url: { url: IMAGE } }),
    text.map((data) => ({ type: 'file', file: { file_data: data } })),
  );
  const messageBy = (...roles: string[]) =>
    fc.record(
      {
        role: fc.constantFrom(...roles),
        content: fc.oneof(text, fc.array(part, { maxLength: 3 })),
        name: text,
        refusal: text,
        reasoning_content: text,
        tool_call_id: text,
      },
      { requiredKeys: ['role', 'content'] },
    );
  const shared = fc.record(
    {
      options: bounds(),
      extra_body: fc.record({ parameters: bounds() }),
      grammar: text,
      stop: fc.array(text),
      user: text,
    },
    { requiredKeys: [] },
  );
  const maxTokens = fc.integer({ min: 1, max: 3_000 });
  const of = (path: string, own: fc.Arbitrary<object>) =>
    fc.tuple(
      fc.constant(path),
      fc.tuple(other, shared, bounds(), own).map((parts) => Object.assign({}, ...parts) as object),
    );
  return fc.oneof(
    of(
      '/v1/chat/completions',
      fc.record(
        {
          messages: fc.array(messageBy('user', 'assistant', 'tool'), { minLength: 1, maxLength: 5 }),
          max_tokens: maxTokens,
        },
        { requiredKeys: ['messages'] },
      ),
    ),
    of(
      '/v1/completions',
      fc.record(
        {
          prompt: fc.oneof(text, fc.array(text, { minLength: 1 }), fc.array(fc.nat(99), { minLength: 1 })),
          max_tokens: maxTokens,
        },
        { requiredKeys: ['prompt'] },
      ),
    ),
    of(
      '/v1/responses',
      fc.record(
        {
          input: fc.oneof(text, fc.array(messageBy('user', 'assistant'), { maxLength: 4 })),
          max_output_tokens: maxTokens,
        },
        { requiredKeys: ['input'] },
      ),
    ),
  );
}

/** What is open is the call that a request belongs to. */
async function noteReservation(): Promise<void> {
  const sql = "SELECT reserved_tokens::float8 AS tokens FROM calls WHERE state = 'open'";
  for (const { tokens } of await gateway.platform.query<{ tokens: number }>(sql)) reservations.push(tokens);
}

/** Whatever the body is, and whatever is said of it: the call is answered, and charged within what it had reserved. */
function chargedWithinReserved(text: fc.Arbitrary<string>) {
  const sql = 'SELECT prompt_tokens + completion_tokens AS tokens FROM calls ORDER BY id DESC LIMIT 1';
  return fc.asyncProperty(bodies(text), async ([path, body]) => {
    reservations.length = 0;
    const { status } = await gateway.post(path, { ...body, model: 'scripted' });
    const [call] = await gateway.platform.query<{ tokens: number }>(sql);
    expect(status).toBe(200);
    expect(reservations).toHaveLength(1);
    expect(call?.tokens).toBeLessThanOrEqual(reservations[0] as number);
    expect(call?.tokens).toBeGreaterThan(0);
  });
}
