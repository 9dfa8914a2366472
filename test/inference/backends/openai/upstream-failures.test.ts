import { describe, expect, it } from '@jest/globals';
import type { RestAnswer } from '../../../support/servers/platform.js';
import { usedOf } from '../../../support/builders/quota.js';
import { completion, event, htmlPage, json, silence, stream } from '../../../support/servers/scripted-backend.js';
import type { Script } from '../../../support/servers/scripted-backend.js';
import { recordedBody } from '../../../support/probes/stream-probe.js';
import { useGateway } from '../../../support/servers/use-servers.js';

const BAD_UPSTREAM = [502, 'upstream_error', 'bad_upstream'];
const PLAIN = { id: 'plain', models: ['scripted'], health_path: '/v1/models' };
const HASTY = { ...PLAIN, id: 'hasty', models: ['hasty'], timeout_seconds: 0.5 };
const NARROW = { ...PLAIN, id: 'narrow', models: ['narrow'], max_concurrency: 1, queue: { max: 0, seconds: 1 } };

describe('a model server that fails', () => {
  const gateway = useGateway({ backends: [PLAIN, HASTY, NARROW] });

  it.each<[number, string, string]>([
    [400, 'invalid_request_error', 'bad_request'],
    [404, 'not_found_error', 'not_found'],
    [409, 'conflict_error', 'conflict'],
    [413, 'invalid_request_error', 'payload_too_large'],
    [422, 'invalid_request_error', 'bad_request'],
  ])('keeps its status and message of a %d, with our type and code', async (status, type, code) => {
    const refusal = json(status, {
      error: { message: 'what was wrong', type: 'odd', code: status, param: 'messages' },
    });
    gateway.backend.answer(refusal, refusal);

    for (const answer of [await ask(false), await ask(true)]) {
      expect(answer.status).toBe(status);
      expect(answer.body.error).toEqual({ message: 'what was wrong', type, code, param: 'messages' });
      expect(answer.headers.get('x-should-retry')).toBe(status === 409 ? 'false' : null);
    }
  });

  it.each([
    [
      422,
      json(422, { detail: [{ loc: ['body', 'messages', 0], msg: 'Field required' }] }),
      'messages.0: Field required',
    ],
    [422, json(422, { detail: [{ loc: ['body'], msg: 'Odd' }, { msg: 'Odder' }] }), 'Odd; Odder'],
    [400, { status: 400, pieces: ['no'], headers: { 'content-type': 'text/plain' } }, /refuses the request/],
    [400, { status: 400, pieces: [] }, /refuses the request/],
    [413, htmlPage(413), /refuses the request/],
  ] as [number, Script, string | RegExp][])('keeps its %d, however it words it', async (status, script, message) => {
    gateway.backend.answer(script, script);

    for (const answer of [await ask(false), await ask(true)]) {
      expect(answer.status).toBe(status);
      expect(answer.body.error.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    }
  });

  it.each([
    ['err_ctx', 400, 'exceeds the available context size'],
    ['err_nomsg', 400, "'messages' is required"],
    ['err_stream_bad', 400, 'Unable to generate parser'],
    ['err_404', 404, 'File Not Found'],
  ])('tells what llama.cpp recorded as %s', async (name, status, message) => {
    gateway.backend.answer({ status, pieces: [recordedBody(name)] });

    const answer = await ask(true);

    expect(answer.status).toBe(status);
    expect(answer.body.error.message).toContain(message);
    expect(answer.body.error.code).toEqual(expect.any(String));
  });

  const failures: [string, Script][] = [
    ['401', json(401, { error: { message: 'bad key sk-123 at 10.0.0.1' } })],
    ['403', json(403, { error: { message: 'bad key sk-123' } })],
    ['402', json(402, { error: { message: 'pay at 10.0.0.1' } })],
    ['500 that says nothing', json(500, {})],
    ['500 of a proxy', htmlPage(500)],
    ['504', json(504, { error: { message: 'gone' } })],
    ['a page of its proxy', htmlPage(502)],
    ['a page instead of an answer', htmlPage(200)],
    ['a page for a 404', htmlPage(404)],
    ['a redirect', { status: 302, headers: { location: 'http://10.0.0.1/' } }],
    ['an empty answer', json(200, '')],
    ['broken JSON', { pieces: ['{"choices": [{'] }],
    ['an answer without choices', json(200, { error: { message: 'odd' } })],
    ['a JSON list', json(200, [])],
    ['an encoding that was not asked for', { headers: { 'content-encoding': 'br' }, pieces: ['xyz'] }],
    ['a cut before the answer', { ...json(200, {}), pieces: [], ending: 'cut' }],
    ['a cut within the answer', { ...completion('Hello.'), headers: { 'content-length': '10000' }, ending: 'cut' }],
  ];

  it.each(failures)('is 502 for %s, without what it says', async (_what, script) => {
    gateway.backend.answer(script, script);

    for (const answer of [await ask(false), await ask(true)]) {
      expect(shape(answer)).toEqual(BAD_UPSTREAM);
      expect(answer.body.error.message).not.toMatch(/10\.|sk-123|127\.0\.0\.1|CUDA|html/);
    }
  });

  it('is 502 for an event stream in place of JSON, and for JSON in place of a stream', async () => {
    gateway.backend.answer(stream(event({ choices: [] })), completion('Hello.'));

    expect(shape(await ask(false))).toEqual(BAD_UPSTREAM);
    expect(shape(await ask(true))).toEqual(BAD_UPSTREAM);
  });

  it.each([
    ['seconds', '7', '7'],
    ['a date', new Date(Date.now() + 600_000).toUTCString(), expect.stringMatching(/^(5\d\d|600)$/)],
    ['nonsense', 'soon', '1'],
    ['too long', '999999', '3600'],
  ])('is 503 with its Retry-After where it is busy (%s)', async (_form, retryAfter, expected) => {
    gateway.backend.answer(
      json(429, { error: 'slow down' }, { 'retry-after': retryAfter }),
      json(503, { error: 'loading' }, { 'retry-after': retryAfter }),
    );

    for (const answer of [await ask(false), await ask(true)]) {
      expect(shape(answer)).toEqual([503, 'server_error', 'unavailable']);
      expect(answer.headers.get('retry-after')).toEqual(expected);
    }
  });

  it('is 504 where it does not answer in time', async () => {
    gateway.backend.answer(silence(), silence());

    const answers = await Promise.all([ask(false, 'hasty'), ask(true, 'hasty')]);

    for (const answer of answers) expect(shape(answer)).toEqual([504, 'upstream_error', 'upstream_timeout']);
  });

  it('is 503 with Retry-After where it takes no more calls at once', async () => {
    gateway.backend.answer(silence());
    const arrived = gateway.backend.nextRequest();
    const controller = new AbortController();
    const first = gateway.chat({ model: 'narrow' }, { signal: controller.signal }).catch(() => undefined);
    const { gone } = await arrived;

    const refused = await ask(false, 'narrow');
    controller.abort();
    await Promise.all([first, gone]);
    const after = await ask(false, 'narrow');

    expect(shape(refused)).toEqual([503, 'server_error', 'unavailable']);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(after.status).toBe(200);
  });

  it('costs its caller nothing', async () => {
    const before = await usedOf(gateway);
    gateway.backend.answer(json(500, {}), json(400, { error: 'no' }));

    await ask(false);
    await ask(true);

    expect((await usedOf(gateway)).tokens).toBe(before.tokens);
  });

  it('is told once in the log when it goes down, and when it is back', async () => {
    const { port } = gateway.backend;
    const lines = () =>
      gateway.platform.logLines.map((line) => JSON.parse(line)).filter(({ backend: id }) => id === 'plain');
    const before = lines().length;

    await gateway.backend.close();
    const refused = [await ask(false), await ask(true), await ask(false)];
    const listed = await gateway.get('/v1/backends');
    await gateway.backend.listen(port);
    await ask(false);

    for (const answer of refused) expect(shape(answer)).toEqual(BAD_UPSTREAM);
    expect(listed.body.data[0]).toMatchObject({ backend: 'plain', healthy: false });
    expect(
      lines()
        .slice(before)
        .map(({ msg }) => msg),
    ).toEqual(['the model server does not answer', 'the model server answers again']);
  });

  function ask(streamed: boolean, model = 'scripted'): Promise<RestAnswer> {
    return gateway.chat({ model, ...(streamed && { stream: true }) });
  }

  function shape({ status, body }: RestAnswer): unknown[] {
    return [status, body.error?.type, body.error?.code];
  }
});
