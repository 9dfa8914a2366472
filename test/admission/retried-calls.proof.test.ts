import { describe, expect, it } from '@jest/globals';
import { CHAT } from '../support/builders/chat-request.js';
import { LEFT_CALLS_ENV, LeftCalls, slow } from '../support/builders/left-calls.js';
import type { SlowCall } from '../support/builders/left-calls.js';
import { completion, stream, wholeStream } from '../support/servers/scripted-backend.js';
import { useGateway } from '../support/servers/use-servers.js';

const ROUNDS = 40;
const CALLS = 25;
const PATH = '/v1/chat/completions';
const WHOLE: SlowCall = { path: PATH, body: CHAT, script: slow(completion('Late.')) };
const STREAMED: SlowCall = {
  path: PATH,
  body: { ...CHAT, stream: true },
  script: slow(stream(...wholeStream('Late.'))),
};

describe('1,000 calls whose clients leave before the answer and ask again', () => {
  const gateway = useGateway({ env: LEFT_CALLS_ENV });
  const calls = new LeftCalls(gateway);

  it('are made 1,000 times', async () => {
    let answered = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const left = await calls.leave(Array.from({ length: CALLS }, (_, index) => (index % 2 === 0 ? WHOLE : STREAMED)));
      // Some ask while the model server works, the others afterwards.
      const early = left.slice(0, CALLS / 2).map((call) => call.again());
      for (const call of left) call.answer();
      const late = left.slice(CALLS / 2).map((call) => call.again());
      const answers = await Promise.all([...early, ...late]);
      answered += answers.filter(
        ({ status, headers }) => status === 200 && headers.get('idempotency-replayed') === 'true',
      ).length;
    }
    const rows = await gateway.platform.query<{ outcome: string; calls: number }>(
      'SELECT outcome, count(*)::integer AS calls FROM calls GROUP BY outcome',
    );

    expect(answered).toBe(ROUNDS * CALLS);
    expect(gateway.received).toBe(ROUNDS * CALLS);
    expect(rows).toEqual([{ outcome: 'completed', calls: ROUNDS * CALLS }]);
  });
});
