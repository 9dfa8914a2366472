import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { metricLines, metricValue } from '../../support/probes/metrics.js';
import { completeEvents } from '../../support/builders/response-streams.js';
import { SanitizedGateway } from '../../support/servers/sanitized-gateway.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { chunk, completion, DONE, stream } from '../../support/servers/scripted-backend.js';

const SERVICE = newServiceKey();

describe('policies that cannot be applied', () => {
  let calls: SanitizedGateway;

  beforeAll(async () => {
    const backends = [{ supports: ['chat', 'completions', 'responses'] }];
    calls = await SanitizedGateway.start({ backends, env: SERVICE.env });
  });
  afterAll(() => calls.close());

  it('refuse the calls that they are for', async () => {
    const { platform } = calls.gateway;
    const id = await calls.use([{}]);
    const rules = JSON.stringify([{ kind: 'regex', pattern: '(', action: 'mask', appliesTo: 'both' }]);
    await platform.query('UPDATE sanitizer_policies SET rules = $2 WHERE id = $1', [id, rules]);
    await platform.restart();

    const whole = await calls.gateway.chat();
    const streamed = await calls.gateway.chat({ stream: true });

    expect([whole.status, streamed.status]).toEqual([503, 503]);
    expect(calls.gateway.received).toBe(0);
  });

  it('end a stream whose next piece could always belong to a match', async () => {
    await calls.use([{ kind: 'regex', pattern: 'BEGIN[^#]*END', applies_to: 'output' }]);
    const pieces = Array.from({ length: 200 }, () => chunk({ content: 'x'.repeat(100) }));
    calls.gateway.backend.answer(stream(chunk({ content: 'Now: BEGIN' }), ...pieces, chunk({}, 'stop'), DONE));

    const { body } = await calls.gateway.chat({ stream: true });

    expect(JSON.stringify(body)).toContain('content_blocked');
    expect(JSON.stringify(body)).not.toMatch(/xxx|\[DONE\]/);
  });

  it('refuse a prompt that what they put into it makes too long', async () => {
    await calls.use([{ kind: 'regex', pattern: '[a-z]', applies_to: 'input' }]);
    const user = (length: number) => ({ messages: [{ role: 'user', content: 'x'.repeat(length) }] });

    const [long, tooLong] = [await calls.gateway.chat(user(100_000)), await calls.gateway.chat(user(200_000))];

    expect([long.status, tooLong.status]).toEqual([200, 422]);
    expect(tooLong.body.error).toMatchObject({ code: 'content_blocked', message: expect.stringContaining('too long') });
    expect(calls.gateway.received).toBe(1);
  });

  it('are counted: what was found, and what was refused unread', async () => {
    await calls.use([{ kind: 'email' }, { kind: 'words', words: ['secret plan'], action: 'block' }]);
    calls.gateway.backend.answer(completion('ada@example.com and bob@example.com'));
    await calls.gateway.chat();
    await calls.gateway.chat({ messages: [{ role: 'user', content: 'The Secret Plan' }] });
    await calls.gateway.post('/v1/completions', { model: 'scripted', prompt: [1, 2] });

    const metrics = (await metricLines(calls.gateway.platform, SERVICE.key)).join('\n');

    expect(metrics).toContain('platform_sanitizer_matches_total{kind="email",action="mask",direction="output"} 2');
    expect(metrics).toContain('platform_sanitizer_matches_total{kind="words",action="block",direction="input"} 1');
    expect(metrics).toContain('platform_sanitizer_unreadable_total{direction="input"} 1');
    expect(metrics).toMatch(/platform_sanitizer_seconds_total\{direction="input"\} [\d.e-]*[1-9]/);
    expect(metrics).toMatch(/platform_sanitizer_seconds_total\{direction="output"\} [\d.e-]*[1-9]/);
  });

  it('are counted once where the events of a response tell a text again', async () => {
    await calls.use([{ kind: 'ip', applies_to: 'output' }]);
    calls.gateway.backend.answer(stream(...completeEvents('From 192.', '0.2.1 on')));

    const { body } = await calls.gateway.respond({ stream: true });

    expect(String(body).split('[IP]').length).toBeGreaterThan(3);
    const series = 'platform_sanitizer_matches_total{kind="ip",action="mask",direction="output"}';
    expect(await metricValue(calls.gateway.platform, SERVICE.key, series)).toBe(1);
  });
});
