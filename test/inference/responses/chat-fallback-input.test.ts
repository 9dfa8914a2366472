import { afterEach, describe, expect, it } from '@jest/globals';
import { useGateway } from '../../support/servers/use-servers.js';

describe('the input of a response for a backend that only chats', () => {
  const gateway = useGateway({ backends: [{ supports: ['chat'] }] });

  afterEach(() => gateway.backend.reset());

  const respond = (body: object) => gateway.post('/v1/responses', { model: 'scripted', ...body });

  it('may have content parts that stand by themselves, which are one message of the user', async () => {
    const input = [
      { role: 'assistant', content: 'Ask.' },
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image_url: 'data:,' },
      { role: 'assistant', content: 'A cat.' },
      { type: 'text', text: 'Sure?' },
    ];

    const { status } = await respond({ input });
    const refused = await respond({ input: [...input, { type: 'input_file', file_id: 'f' }] });

    expect(status).toBe(200);
    expect(gateway.backend.requests[0]?.body.messages).toEqual([
      { role: 'assistant', content: 'Ask.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:,' } },
        ],
      },
      { role: 'assistant', content: 'A cat.' },
      { role: 'user', content: 'Sure?' },
    ]);
    expect([refused.status, refused.body.error.param]).toEqual([409, 'input[5]']);
  });

  it.each(['toString', 'valueOf', 'constructor', 'hasOwnProperty', '__proto__'])(
    'goes on with a field beside it that is called %s',
    async (name) => {
      const { status } = await gateway.post('/v1/responses', `{"model":"scripted","input":"Hi","${name}":{"a":1}}`);

      expect(status).toBe(200);
      expect(Object.entries(gateway.backend.requests[0]?.body ?? {})).toContainEqual([name, { a: 1 }]);
    },
  );
});
