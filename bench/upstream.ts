/**
 * A scripted OpenAI-compatible model server. The model chooses the script:
 * `plain` answers in one piece, `burst` sends 200 events at once, `paced` sends `max_tokens` events at 20 a second,
 * each with its number and the time it was sent. `GET /stats` tells how many answers are open and were cut off.
 */
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';

const EVENTS_PER_BURST = 200;
const PACE_MS = 50;
const USAGE = { prompt_tokens: 20, completion_tokens: 200, total_tokens: 220 };

interface Ask {
  readonly model: string;
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly stream_options?: { readonly include_usage?: boolean };
}

const stats = { open: 0, cutOff: 0 };
const models = {
  object: 'list',
  data: ['plain', 'burst', 'paced'].map((id) => ({ id, object: 'model', owned_by: 'bench' })),
};
const completion = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'plain',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Lunch is at noon. '.repeat(20) }, finish_reason: 'stop' },
  ],
  usage: USAGE,
});

function frame(model: string, choices: object[], extra: object = {}): string {
  const chunk = {
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model,
    choices,
    ...extra,
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

const content = (model: string, text: string) =>
  frame(model, [{ index: 0, delta: { content: text }, finish_reason: null }]);

function ending(ask: Ask): string {
  const finish = frame(ask.model, [{ index: 0, delta: {}, finish_reason: 'stop' }]);
  const usage = ask.stream_options?.include_usage ? frame(ask.model, [], { usage: USAGE }) : '';
  return `${finish}${usage}data: [DONE]\n\n`;
}

const [pacedStart = '', pacedEnd = ''] = content('paced', '|').split('|');
const burst = Array.from({ length: EVENTS_PER_BURST }, (_, index) => content('burst', `word${index} `)).join('');

function sendPaced(ask: Ask, response: ServerResponse): void {
  const { socket } = response;
  const startedAt = performance.now();
  let number = 0;
  let timer: NodeJS.Timeout;
  const send = () => {
    if (number === ask.max_tokens) {
      response.end(ending(ask));
      return;
    }
    const event = `${pacedStart}${number}:${process.hrtime.bigint() / 1000n}${pacedEnd}`;
    // The chunk is framed here: `response.write` costs as much again, and the upstream must not be what is measured.
    socket?.write(`${event.length.toString(16)}\r\n${event}\r\n`);
    number += 1;
    // Against the start, not the last event: timers that are late together would stay together for ever.
    timer = setTimeout(send, startedAt + number * PACE_MS - performance.now());
  };
  response.on('close', () => clearTimeout(timer));
  response.flushHeaders();
  send();
}

function answer(ask: Ask, response: ServerResponse): void {
  if (!ask.stream) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(completion) });
    response.end(completion);
    return;
  }
  stats.open += 1;
  response.on('close', () => {
    stats.open -= 1;
    if (!response.writableFinished) stats.cutOff += 1;
  });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (ask.model === 'paced') sendPaced(ask, response);
  else response.end(burst + ending(ask));
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url === '/stats' ? stats : models));
    return;
  }
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text: string) => {
    body += text;
  });
  request.on('end', () => answer(JSON.parse(body) as Ask, response));
});

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())));
