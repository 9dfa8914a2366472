/** Uses the functions of orval over fetch. */
import {
  createApiToken,
  createChatCompletion,
  deleteApiToken,
  getApiToken,
  getCreateChatCompletionUrl,
  listModels,
  login,
  rotateApiToken,
} from './orval/api.js';
import type { ChatCompletionChunk, ChatCompletionRequest } from './orval/api.js';
import { email, eventsOf, password, QUESTION, tell } from './report.js';

const session = await login({ email, password });
if (session.status !== 200) throw new Error(session.data.error.message);
const headers = { authorization: `Bearer ${session.data.access_token}` };

const models = await listModels({ headers });
const answer = await createChatCompletion(QUESTION, { headers });
// By its types an answer may be a chunk of a stream, too.
const whole = answer.status === 200 && answer.data.object === 'chat.completion' ? answer.data : undefined;

let streamed = '';
const request: ChatCompletionRequest = { ...QUESTION, stream: true };
const { body: stream } = await fetch(getCreateChatCompletionUrl(), {
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(request),
});
if (!stream) throw new Error('There is no stream.');
for await (const chunk of eventsOf<ChatCompletionChunk>(stream)) streamed += chunk.choices[0]?.delta.content ?? '';

const created = await createApiToken({ name: 'generated', scopes: ['models:read'] }, { headers });
if (created.status !== 201) throw new Error(created.data.error.message);
const rotated = await rotateApiToken(created.data.id, { grace_seconds: 0 }, { headers });
const deleted = await deleteApiToken(created.data.id, { headers });
const gone = await getApiToken(created.data.id, { headers });

// @ts-expect-error a request without its model does not compile
const refused = await createChatCompletion({ messages: QUESTION.messages }, { headers });
const error = refused.status === 200 ? undefined : refused.data.error;

tell({
  models: models.status === 200 ? models.data.data.map(({ id }) => id) : [],
  answer: whole?.choices[0]?.message.content,
  streamed,
  token: {
    id: rotated.status === 200 ? rotated.data.id : '',
    hasNewSecret: rotated.status === 200 && rotated.data.token !== created.data.token,
    deleted: deleted.status,
    gone: gone.status,
  },
  refused: { code: error?.code, param: error?.param },
});
