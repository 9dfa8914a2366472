import { describe, expect, it } from '@jest/globals';
import { Conflict, PlatformError, Unavailable } from '../../../src/errors.js';
import { standaloneQuestion } from '../../../src/knowledge/chat/standalone-question.js';
import type { JsonObject } from '../../../src/platform/json/json-object.js';
import { userMessage } from '../../support/builders/chat-request.js';

const TALK = [userMessage('Tell me of lunch.'), { role: 'assistant', content: 'Yes.' }, userMessage('When is it?')];
const JOINED = 'Tell me of lunch.\nWhen is it?';

describe('the question that a conversation ends with', () => {
  it('is what the user says, where it is all that was said', async () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, userMessage(' When is lunch? ')];

    expect(await standaloneQuestion({ model: 'm', messages }, never)).toBe('When is lunch?');
  });

  it('is made whole by the model, from the last messages', async () => {
    const asked: JsonObject[] = [];

    const question = await standaloneQuestion({ model: 'm', messages: TALK }, (request) => {
      asked.push(request);
      return answering('When is lunch?');
    });

    expect(question).toBe('When is lunch?');
    expect(asked).toEqual([
      {
        model: 'm',
        max_tokens: 200,
        messages: [
          { role: 'system', content: expect.stringContaining('Write its last question') },
          userMessage('User: Tell me of lunch.\n\nAssistant: Yes.\n\nUser: When is it?'),
        ],
      },
    ]);
  });

  it.each<[string, () => Promise<JsonObject>]>([
    ['says nothing', () => answering('  ')],
    ['answers no choices', async () => ({})],
    ['thinks aloud', () => answering('<think>Hm')],
    ['refuses to', () => Promise.reject(new PlatformError(400, 'invalid_request_error', 'bad_request', 'no'))],
    ['fails', () => Promise.reject(new Unavailable('no'))],
  ])('is that of the last questions together where the model %s', async (_what, complete) => {
    expect(await standaloneQuestion({ model: 'm', messages: TALK }, complete)).toBe(JOINED);
  });

  it('is that of the last three questions with the builtin model, which cannot', async () => {
    const messages = ['One?', 'Two?', 'Three?', 'Four?'].map(userMessage);

    expect(await standaloneQuestion({ model: 'builtin-extractive', messages }, never)).toBe('Two?\nThree?\nFour?');
  });

  it('is not asked where the caller may not ask the model', async () => {
    const refused = new Conflict('model_not_allowed', 'no');

    await expect(standaloneQuestion({ model: 'm', messages: TALK }, () => Promise.reject(refused))).rejects.toBe(
      refused,
    );
  });

  it('has its beginning and its end where it is long', async () => {
    const messages = [userMessage(`Begin ${'x'.repeat(50_000)} end?`)];

    const question = await standaloneQuestion({ model: 'm', messages }, never);

    expect(question).toMatch(/^Begin x+\nx+ end\?$/);
    expect(question).toHaveLength(2_001);
  });

  it('is there, or the request is at fault', async () => {
    const messages = [{ role: 'assistant', content: 'Hello.' }];

    await expect(standaloneQuestion({ model: 'm', messages }, never)).rejects.toMatchObject({
      status: 400,
      details: { param: 'messages' },
    });
  });
});

function never(): Promise<JsonObject> {
  throw new Error('No model is needed.');
}

async function answering(content: string): Promise<JsonObject> {
  return { choices: [{ message: { role: 'assistant', content } }] };
}
