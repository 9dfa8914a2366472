/**
 * A scripted OpenAI-compatible model server, on as many ports as the argument says. The path and the model choose the
 * script: `plain` answers in one piece, `burst` and `prose` send 200 events at once, `paced` sends `max_tokens` chat events
 * at 20 a second, each with its number and the time it was sent, `embedder` answers vectors. Whatever is to be transcribed or
 * spoken is answered the same. `GET /stats` tells how many streams are open and were cut off.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { chatAnswer, streamChat } from './chat.js';
import type { ChatRequest } from './chat.js';
import { embeddingsAnswer } from './embeddings.js';
import type { EmbeddingsRequest } from './embeddings.js';
import { responseAnswer, responseEvents } from './responses.js';
import { answerSpeech, isOfSpeech } from './speech.js';

const stats = { open: 0, cutOff: 0 };
const models = {
  object: 'list',
  data: ['plain', 'burst', 'prose', 'paced', 'embedder'].map((id) => ({ id, object: 'model', owned_by: 'bench' })),
};

function sendWhole(response: ServerResponse, body: string | Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function beginStream(response: ServerResponse): void {
  stats.open += 1;
  response.on('close', () => {
    stats.open -= 1;
    if (!response.writableFinished) stats.cutOff += 1;
  });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

function answer(path: string, body: ChatRequest & EmbeddingsRequest, response: ServerResponse): void {
  if (path.endsWith('/embeddings')) {
    sendWhole(response, embeddingsAnswer(body));
    return;
  }
  const isChat = path.endsWith('/chat/completions');
  if (!body.stream) {
    sendWhole(response, isChat ? chatAnswer : responseAnswer);
    return;
  }
  beginStream(response);
  if (isChat) streamChat(body, response);
  else response.end(responseEvents);
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'GET') {
    sendWhole(response, JSON.stringify(request.url === '/stats' ? stats : models));
    return;
  }
  if (isOfSpeech(request.url ?? '')) {
    // Whose client leaves in the middle needs no answer.
    answerSpeech(request, response).catch(() => response.destroy());
    return;
  }
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text: string) => {
    body += text;
  });
  request.on('end', () => answer(request.url ?? '', JSON.parse(body), response));
}

const servers = Array.from({ length: Number(process.argv[2] ?? 1) }, () => createServer(handle));
for (const server of servers) {
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}
console.log(JSON.stringify(servers.map((server) => server.address())));
