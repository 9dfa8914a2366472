import { beforeAll, describe, expect, it } from '@jest/globals';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { APICallError, embedMany, generateText, streamText, tool } from 'ai';
import { z } from 'zod';
import { completion, stream, wholeStream } from '../support/servers/scripted-backend.js';
import type { ScriptedBackend } from '../support/servers/scripted-backend.js';
import { chatWeatherCall, WEATHER_PARAMETERS } from '../support/builders/weather-tool.js';
import { useGateway } from '../support/servers/use-servers.js';
import { clientTitle } from './client-title.js';
import { countLimited, whileQuotaIsExceeded } from './exceeded-quota.js';

describe('frameworks that speak the OpenAI interface', () => {
  const gateway = useGateway();
  let backend: ScriptedBackend;
  let baseURL: string;
  let apiKey: string;

  beforeAll(async () => {
    ({ backend, token: apiKey } = gateway);
    baseURL = `${gateway.platform.url}/v1`;
  });

  describe(clientTitle('@langchain/openai'), () => {
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
      backend.answer(chatWeatherCall());
      const tool = { type: 'function', function: { name: 'weather', parameters: WEATHER_PARAMETERS } };

      const answer = await model().bindTools([tool]).invoke('What is the weather in Bern?');

      expect(answer.tool_calls).toEqual([expect.objectContaining({ name: 'weather', args: { city: 'Bern' } })]);
    });

    it('structured output', async () => {
      backend.answer(completion('{"city":"Bern"}'));

      const typed = model().withStructuredOutput(z.object({ city: z.string() }), { method: 'jsonSchema' });

      expect(await typed.invoke('Which city?')).toEqual({ city: 'Bern' });
    });

    it('errors: 404 model_not_found, 429', async () => {
      await expect(model('none').invoke('Hello?')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
      await whileQuotaIsExceeded(gateway, () =>
        expect(model().invoke('Hello?')).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' }),
      );
    });

    it('does not try an exceeded quota again', async () => {
      const before = countLimited(gateway);

      await whileQuotaIsExceeded(gateway, () =>
        model('scripted', 1)
          .invoke('Hello?')
          .catch(() => undefined),
      );

      expect(countLimited(gateway) - before).toBe(1);
    });

    it('embeds', async () => {
      const embeddings = new OpenAIEmbeddings({ model: 'builtin-hash-embedding', apiKey, configuration: { baseURL } });

      const vectors = await embeddings.embedDocuments(['one text', 'another text']);

      expect(vectors.map((vector) => vector.length)).toEqual([384, 384]);
    });

    function model(name = 'scripted', maxRetries = 0) {
      return new ChatOpenAI({ model: name, apiKey, maxRetries, configuration: { baseURL } });
    }
  });

  describe(clientTitle('@ai-sdk/openai-compatible'), () => {
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

    it('calls tools', async () => {
      backend.answer(chatWeatherCall());

      const { toolCalls } = await generateText({
        model: provider()('scripted'),
        prompt: 'What is the weather in Bern?',
        tools: { weather: tool({ inputSchema: z.object({ city: z.string() }) }) },
        maxRetries: 0,
      });

      expect(toolCalls).toEqual([expect.objectContaining({ toolName: 'weather', input: { city: 'Bern' } })]);
    });

    it('errors: 404 model_not_found, 429', async () => {
      const ask = (name: string) =>
        generateText({ model: provider()(name), prompt: 'Hello?', maxRetries: 0 }).catch((error: unknown) => error);

      const missing = await ask('none');
      const limited = await whileQuotaIsExceeded(gateway, () => ask('scripted'));

      expect([missing, limited].map((error) => APICallError.isInstance(error))).toEqual([true, true]);
      expect(missing).toMatchObject({ statusCode: 404, data: { error: { code: 'model_not_found' } } });
      expect(limited).toMatchObject({ statusCode: 429, data: { error: { code: 'rate_limit_exceeded' } } });
    });

    it('embeds', async () => {
      const model = provider().embeddingModel('builtin-hash-embedding');

      const { embeddings } = await embedMany({ model, values: ['one text', 'another text'], maxRetries: 0 });

      expect(embeddings.map((vector) => vector.length)).toEqual([384, 384]);
    });

    function provider() {
      return createOpenAICompatible({ name: 'platform', baseURL, apiKey, includeUsage: true });
    }
  });
});
