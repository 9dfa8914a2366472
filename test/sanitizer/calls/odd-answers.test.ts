import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SanitizedGateway } from '../../support/servers/sanitized-gateway.js';
import { chunk, completion, DONE, event, json, stream } from '../../support/servers/scripted-backend.js';
import type { Script } from '../../support/servers/scripted-backend.js';

/** What JavaScript can make no text of. */
const ODD = { toString: 1, valueOf: 1 };
const MEDIUM = { type: ODD, data: 'abc', result: 'abc' };
const CALL = { index: ODD, function: { name: ODD, arguments: '{}' } };
const USAGE = { prompt_tokens: 1, total_tokens: ODD };

describe('objects where an answer should have texts and numbers', () => {
  let calls: SanitizedGateway;

  beforeAll(async () => {
    calls = await SanitizedGateway.start({ backends: [{ supports: ['chat'] }] });
    await calls.use([{ applies_to: 'output' }]);
  });
  afterAll(() => calls.close());

  it.each<[string, number, Script]>([
    ['the type of a medium', 200, completion('Hi', { extra: MEDIUM })],
    ['the type of a medium in a stream', 200, stream(chunk({ content: 'Hi', ...MEDIUM }), chunk({}, 'stop'), DONE)],
    ['the code of an error', 502, stream(event({ error: { message: 'no', code: ODD } }))],
    ['the place of an error', 400, json(400, { detail: [{ msg: 'no', loc: [ODD, 'body', 'messages', 0] }] })],
    ['what was used', 200, completion('Hi', { usage: USAGE })],
    ['the place and the name of a call', 200, stream(chunk({ tool_calls: [CALL] }), chunk({}, 'stop'), DONE)],
    [
      'the reason for its end',
      200,
      completion('Hi', { choices: [{ message: { tool_calls: [CALL] }, finish_reason: ODD }] }),
    ],
  ])('are no failure of this server: %s', async (_where, status, script) => {
    const isStream = script.type === 'text/event-stream';
    calls.gateway.backend.answer(script, script);

    const chat = await calls.gateway.chat({ stream: isStream });
    const response = await calls.gateway.respond({ stream: isStream });

    expect([chat.status, response.status]).toEqual([status, status]);
    expect(errorLines(calls)).toEqual([]);
  });

  it('are no failure of this server where callers send them: the name of a function', async () => {
    const tools = [{ type: 'namespace', name: 'n', tools: [{ type: 'function', name: ODD }] }];
    calls.gateway.backend.answer(json(400, { error: { message: 'A name is a text.' } }));

    const { status } = await calls.gateway.respond({ tools });

    expect(status).toBe(400);
    expect(errorLines(calls)).toEqual([]);
  });
});

function errorLines({ gateway }: SanitizedGateway): string[] {
  return gateway.platform.logLines.filter((line) => /"level":"?(50|60|error|fatal)/.test(line));
}
