import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { embedMany, generateText, streamText } from 'ai';
import { startPlatform } from '../support/platform.js';
import type { Platform } from '../support/platform.js';
import { completion, startScriptedBackend, stream, wholeStream } from '../support/scripted-backend.js';
import type { ScriptedBackend } from '../support/scripted-backend.js';

const CALL = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } };
const TOOL_ANSWER = {
  choices: [
    { index: 0, message: { role: 'assistant', content: null, tool_calls: [CALL] }, finish_reason: 'tool_calls' },
  ],
};
const WEATHER = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

describe('frameworks that speak the OpenAI interface', () => {
  let backend: ScriptedBackend;
  let platform: Platform;
  let baseURL: string;
  let apiKey: string;

  beforeAll(async () => {
    backend = await startScriptedBackend();
    platform = await startPlatform({ OPENAI_BASE_URL: backend.url });
    baseURL = `${platform.url}/v1`;
    apiKey = (await platform.login()).access_token;
  });
  afterAll(async () => {
    await platform.close();
    await backend.close();
  });

  describe('LangChain', () => {
    const model = () => new ChatOpenAI({ model: 'scripted', apiKey, maxRetries: 0, configuration: { baseURL } });

    it('chats and knows the usage', async () => {
      backend.answer(completion('Hello!'));

      const answer = await model().invoke([new SystemMessage('Be brief.'), new HumanMessage('Say hello.')]);

      expect(answer.text).toBe('Hello!');
      expect(answer.usage_metadata?.total_tokens).toBe(10);
    });

    it('streams', async () => {
      backend.answer(stream(...wholeStream('Hel', 'lo!')));

      let text = '';
      for await (const chunk of await model().stream('Say hello.')) text += chunk.text;

      expect(text).toBe('Hello!');
    });

    it('calls tools', async () => {
      backend.answer(completion('', TOOL_ANSWER));
      const tool = { type: 'function', function: { name: 'weather', parameters: WEATHER } };

      const answer = await model().bindTools([tool]).invoke('What is the weather in Bern?');

      expect(answer.tool_calls).toEqual([expect.objectContaining({ name: 'weather', args: { city: 'Bern' } })]);
    });

    it('embeds', async () => {
      const embeddings = new OpenAIEmbeddings({ model: 'builtin-hash-embedding', apiKey, configuration: { baseURL } });

      const vectors = await embeddings.embedDocuments(['one text', 'another text']);

      expect(vectors.map((vector) => vector.length)).toEqual([384, 384]);
    });
  });

  describe('the AI SDK', () => {
    const provider = () => createOpenAICompatible({ name: 'platform', baseURL, apiKey, includeUsage: true });

    it('generates text and knows the usage', async () => {
      backend.answer(completion('Hello!'));

      const { text, usage } = await generateText({
        model: provider()('scripted'),
        prompt: 'Say hello.',
        maxRetries: 0,
      });

      expect([text, usage.totalTokens]).toEqual(['Hello!', 10]);
    });

    it('streams text', async () => {
      backend.answer(stream(...wholeStream('Hel', 'lo!')));

      const { textStream, usage } = streamText({ model: provider()('scripted'), prompt: 'Say hello.', maxRetries: 0 });
      let text = '';
      for await (const part of textStream) text += part;

      expect(text).toBe('Hello!');
      expect((await usage).totalTokens).toBe(10);
    });

    it('embeds', async () => {
      const model = provider().embeddingModel('builtin-hash-embedding');

      const { embeddings } = await embedMany({ model, values: ['one text', 'another text'], maxRetries: 0 });

      expect(embeddings.map((vector) => vector.length)).toEqual([384, 384]);
    });
  });
});
