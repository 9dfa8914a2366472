/** Uses the client of `@hey-api/openapi-ts`. */
import { client } from './hey-api/client.gen.js';
import {
  createApiToken,
  createChatCompletion,
  deleteApiToken,
  getApiToken,
  listModels,
  login,
  rotateApiToken,
} from './hey-api/index.js';
import type { ChatCompletionChunk, ChatCompletionRequest } from './hey-api/index.js';
import { email, password, PLATFORM_URL, QUESTION, tell } from './report.js';

client.setConfig({ baseUrl: PLATFORM_URL });
const { data: session } = await login({ body: { email, password }, throwOnError: true });
client.setConfig({ auth: session.access_token });

const models = await listModels({ throwOnError: true });
const answer = await createChatCompletion({ body: QUESTION, throwOnError: true });

let streamed = '';
const body: ChatCompletionRequest = { ...QUESTION, stream: true };
const { stream } = await client.sse.post<{ 200: ChatCompletionChunk | '[DONE]' }>({
  url: '/v1/chat/completions',
  security: [{ scheme: 'bearer', type: 'http' }],
  headers: { 'content-type': 'application/json' },
  sseMaxRetryAttempts: 1,
  body,
});
for await (const chunk of stream) streamed += (chunk !== '[DONE]' && chunk.choices[0]?.delta.content) || '';

const { data: created } = await createApiToken({
  body: { name: 'generated', scopes: ['models:read'] },
  throwOnError: true,
});
const path = { id: created.id };
const { data: rotated } = await rotateApiToken({ path, body: { grace_seconds: 0 }, throwOnError: true });
const deleted = await deleteApiToken({ path });
const gone = await getApiToken({ path });

// @ts-expect-error a request without its model does not compile
const refused = await createChatCompletion({ body: { messages: QUESTION.messages } });

tell({
  models: models.data.data.map(({ id }) => id),
  answer: answer.data.choices[0]?.message.content,
  streamed,
  token: {
    id: rotated.id,
    hasNewSecret: rotated.token !== created.token,
    deleted: deleted.response?.status ?? 0,
    gone: gone.response?.status ?? 0,
  },
  refused: { code: refused.error?.error.code, param: refused.error?.error.param },
});
