import type { ServerResponse } from 'node:http';

const EVENTS_PER_BURST = 200;
const PACE_MS = 50;
const USAGE = { prompt_tokens: 20, completion_tokens: 200, total_tokens: 220 };

/** What of a chat request chooses its script. */
export interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly stream_options?: { readonly include_usage?: boolean };
}

/** The whole answer of a chat. */
export const chatAnswer: string = JSON.stringify({
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

function ending(request: ChatRequest): string {
  const finish = frame(request.model, [{ index: 0, delta: {}, finish_reason: 'stop' }]);
  const usage = request.stream_options?.include_usage ? frame(request.model, [], { usage: USAGE }) : '';
  return `${finish}${usage}data: [DONE]\n\n`;
}

const [pacedStart = '', pacedEnd = ''] = content('paced', '|').split('|');

/** An answer in pieces as long as tokens mostly are. */
const PROSE =
  `The canteen opens at half past seven, and lunch is served from noon until two. On Mondays the kitchen bakes its own
bread; on Thursdays there is soup made of whatever the garden has. If you have a guest, tell the desk a day before, so
that there is a place for them. A tray costs 4.80 for staff and 7.20 for guests, drinks included. The rooms on the second
floor can be booked for meetings that go on over lunch. **Please note:** the terrace is closed while the roof is being
repaired, which should take about three weeks. `.match(/\s?\S{1,6}/g) ?? [];
const burst = burstOf('burst', (index) => `word${index} `);
const prose = burstOf('prose', (index) => PROSE[index % PROSE.length] ?? '');

function burstOf(model: string, textOf: (index: number) => string): string {
  return Array.from({ length: EVENTS_PER_BURST }, (_, index) => content(model, textOf(index))).join('');
}

function sendPaced(request: ChatRequest, response: ServerResponse): void {
  const { socket } = response;
  const startedAt = performance.now();
  let number = 0;
  let timer: NodeJS.Timeout;
  const send = () => {
    if (number === request.max_tokens) {
      response.end(ending(request));
      return;
    }
    // The letter and the space end what could be somebody's number: that would be held back by a sanitizer policy.
    const event = `${pacedStart}${number}:${process.hrtime.bigint() / 1000n}x ${pacedEnd}`;
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

/** Streams the answer of a chat: 200 events at once, with a number in each or of prose, or `max_tokens` at 20 a second. */
export function streamChat(request: ChatRequest, response: ServerResponse): void {
  if (request.model === 'paced') sendPaced(request, response);
  else response.end((request.model === 'prose' ? prose : burst) + ending(request));
}
