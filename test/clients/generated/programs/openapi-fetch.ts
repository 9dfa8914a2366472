/** Uses the types of openapi-typescript with openapi-fetch. */
import createClient from 'openapi-fetch';
import type { components, paths } from './openapi-fetch/schema.js';
import { email, eventsOf, password, PLATFORM_URL, QUESTION, tell } from './report.js';

const client = createClient<paths>({ baseUrl: PLATFORM_URL });
const session = await client.POST('/v1/auth/login', { body: { email, password } });
if (!session.data) throw new Error(session.error.error.message);
client.use({
  onRequest: ({ request }) => request.headers.set('authorization', `Bearer ${session.data.access_token}`),
});

const models = await client.GET('/v1/models');
const answer = await client.POST('/v1/chat/completions', { body: QUESTION });
// By its types an answer may be a chunk of a stream, too.
const whole = answer.data?.object === 'chat.completion' ? answer.data : undefined;

let streamed = '';
const { data: stream } = await client.POST('/v1/chat/completions', {
  body: { ...QUESTION, stream: true },
  parseAs: 'stream',
});
if (!stream) throw new Error('There is no stream.');
for await (const chunk of eventsOf<components['schemas']['ChatCompletionChunk']>(stream)) {
  streamed += chunk.choices[0]?.delta.content ?? '';
}

const created = await client.POST('/v1/api-tokens', { body: { name: 'generated', scopes: ['models:read'] } });
if (!created.data) throw new Error(created.error.error.message);
const params = { path: { id: created.data.id } };
const rotated = await client.POST('/v1/api-tokens/{id}/rotate', { params, body: { grace_seconds: 0 } });
const deleted = await client.DELETE('/v1/api-tokens/{id}', { params });
const gone = await client.GET('/v1/api-tokens/{id}', { params });

// @ts-expect-error a request without its model does not compile
const refused = await client.POST('/v1/chat/completions', { body: { messages: QUESTION.messages } });

tell({
  models: models.data?.data.map(({ id }) => id) ?? [],
  answer: whole?.choices[0]?.message.content,
  streamed,
  token: {
    id: rotated.data?.id ?? '',
    hasNewSecret: rotated.data?.token !== created.data.token,
    deleted: deleted.response.status,
    gone: gone.response.status,
  },
  refused: { code: refused.error?.error.code, param: refused.error?.error.param },
});
