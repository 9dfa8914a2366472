import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import { z } from 'zod';
import { startGateway } from '../support/servers/gateway.js';
import type { Gateway } from '../support/servers/gateway.js';
import { completeEvents, response } from '../support/builders/response-streams.js';
import { completion, json, stream, wholeStream } from '../support/servers/scripted-backend.js';
import type { Script } from '../support/servers/scripted-backend.js';
import { chatWeatherCall, responseWeatherCall, WEATHER_ARGUMENTS } from '../support/builders/weather-tool.js';
import { clientTitle } from './client-title.js';
import { whileQuotaIsExceeded } from './exceeded-quota.js';

describe(clientTitle('@openai/agents'), () => {
  let gateway: Gateway;

  beforeAll(async () => {
    setTracingDisabled(true);
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  describe.each(['responses', 'chat completions'] as const)('%s', (transport) => {
    const { whole, streamed, call } = answersOf(transport);

    it('runs', async () => {
      gateway.backend.answer(whole('Hello!'));

      const { finalOutput } = await runner().run(agent(), 'Say hello.');

      expect(finalOutput).toBe('Hello!');
    });

    it('streams', async () => {
      gateway.backend.answer(streamed('Hel', 'lo!'));

      const result = await runner().run(agent(), 'Say hello.', { stream: true });
      let text = '';
      for await (const piece of result.toTextStream()) text += piece;
      await result.completed;

      expect(text).toBe('Hello!');
    });

    it('tools, with their results in the next turn', async () => {
      gateway.backend.answer(call(), whole('It is sunny in Bern.'));
      const asked: string[] = [];
      const weather = tool({
        name: 'weather',
        description: 'The weather of a city.',
        parameters: z.object({ city: z.string() }),
        execute: async ({ city }) => {
          asked.push(city);
          return 'sunny';
        },
      });

      const { finalOutput } = await runner().run(agent({ tools: [weather] }), 'What is the weather in Bern?');

      expect([asked, finalOutput]).toEqual([['Bern'], 'It is sunny in Bern.']);
      expect(JSON.stringify(gateway.backend.requests.at(-1)?.body)).toContain('sunny');
    });

    it('structured output', async () => {
      gateway.backend.answer(whole(WEATHER_ARGUMENTS));

      const typed = agent({ outputType: z.object({ city: z.string() }) });
      const { finalOutput } = await runner().run(typed, 'Which city?');

      expect(finalOutput).toEqual({ city: 'Bern' });
    });

    it('errors: 404 model_not_found, 429, 502', async () => {
      const ask = (model: string) => runner().run(agent({ model }), 'Hello?');

      await expect(ask('none')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
      await whileQuotaIsExceeded(gateway, () =>
        expect(ask('scripted')).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' }),
      );
      gateway.backend.answer(json(500, { error: { message: 'The weights are gone.', code: 500 } }));
      const asked = gateway.backend.requests.length;
      await expect(ask('scripted')).rejects.toMatchObject({ status: 502, code: 'bad_upstream' });
      expect(gateway.backend.requests.length - asked).toBe(1);
    });

    function runner() {
      return new Runner({
        modelProvider: new OpenAIProvider({
          apiKey: gateway.token,
          baseURL: `${gateway.platform.url}/v1`,
          useResponses: transport === 'responses',
        }),
        tracingDisabled: true,
      });
    }

    function agent(settings: object = {}) {
      return new Agent({ name: 'Assistant', instructions: 'Be brief.', model: 'scripted', ...settings });
    }
  });
});

function answersOf(transport: 'responses' | 'chat completions'): Answers {
  if (transport === 'responses') {
    return { whole: response, streamed: (...texts) => stream(...completeEvents(...texts)), call: responseWeatherCall };
  }
  return { whole: completion, streamed: (...texts) => stream(...wholeStream(...texts)), call: chatWeatherCall };
}

/** How a model server answers by one of the two interfaces. */
interface Answers {
  readonly whole: (text: string) => Script;
  readonly streamed: (...texts: string[]) => Script;
  readonly call: () => Script;
}
