import { afterEach, describe, expect, it } from '@jest/globals';
import { addSignedInUser, addTenant } from '../../support/builders/accounts.js';
import { startGateway } from '../../support/servers/gateway.js';
import type { RestAnswer } from '../../support/servers/platform.js';
import { completeEvents, namedEventsOf, response } from '../../support/builders/response-streams.js';
import { json, stream } from '../../support/servers/scripted-backend.js';
import type { ScriptedBackend } from '../../support/servers/scripted-backend.js';
import { recordedBody } from '../../support/probes/stream-probe.js';
import { useGateway } from '../../support/servers/use-servers.js';

const OUR_ID = /^resp_[A-Za-z0-9_-]{44}$/;
const STORING = { id: 'storing', supports: ['responses', 'responses_store'], models: ['stored'] };

describe('a response', () => {
  const gateway = useGateway({ servers: 2, backends: [{ models: ['scripted', 'other'] }, STORING] });

  afterEach(() => gateway.backends.forEach((backend) => backend.reset()));

  it('is continued with its context in front of the new input, without its instructions', async () => {
    gateway.backend.answer(response('One.'), response('Two.'), response('Three.'));
    const first = await respond({ input: 'Count.', instructions: 'Slowly.' });

    const second = await resume(first.body.id);
    const third = await respond({ previous_response_id: second.body.id, input: [{ role: 'user', content: 'More.' }] });

    const said = (text: string) => ({ type: 'message', role: 'user', content: text });
    const answered = (text: string) =>
      expect.objectContaining({ role: 'assistant', content: [expect.objectContaining({ text })] });
    expect(gateway.backend.requests.map(({ body }) => body)).toEqual([
      { model: 'scripted', input: 'Count.', instructions: 'Slowly.' },
      { model: 'scripted', input: [said('Count.'), answered('One.'), said('And then?')] },
      {
        model: 'scripted',
        input: [
          said('Count.'),
          answered('One.'),
          said('And then?'),
          answered('Two.'),
          { role: 'user', content: 'More.' },
        ],
      },
    ]);
    expect([second.body.previous_response_id, third.body.previous_response_id]).toEqual([
      first.body.id,
      second.body.id,
    ]);
    expect(new Set([first.body.id, second.body.id, third.body.id]).size).toBe(3);
  });

  it.each(['resp_stream', 'resp_tool_stream', 'complete'])(
    'is continued as soon as the last event of its stream is there (%s)',
    async (name) => {
      const firstStream = name === 'complete' ? completeEvents('a', 'b').join('') : recordedBody(name);
      gateway.backend.answer(stream(firstStream), stream(...completeEvents('c')));
      const body = { model: 'scripted', input: 'Count.', stream: true };
      const answer = await gateway.platform.send('POST', '/v1/responses', { token: gateway.token, body });
      let text = '';
      let continued: Promise<RestAnswer> | undefined;
      for await (const bytes of answer.body as unknown as AsyncIterable<Uint8Array>) {
        text += Buffer.from(bytes).toString();
        const id = /"type":"response.completed".*?"id":"(resp_[^"]*)"/.exec(text)?.[1];
        if (id !== undefined) continued ??= resume(id, { stream: true });
      }

      const events = namedEventsOf((await continued)?.body ?? '');

      const { response: first } = namedEventsOf(text).at(-1);
      expect(events[0].response.previous_response_id).toBe(first.id);
      expect(gateway.backend.requests[1]?.body.input).toEqual([
        { type: 'message', role: 'user', content: 'Count.' },
        ...first.output,
        { type: 'message', role: 'user', content: 'And then?' },
      ]);
    },
  );

  it('is continued at the backend that stores it, under the id that it has there', async () => {
    storing().answer(response('One.', { id: 'resp_stored_1' }), stream(...completeEvents('Two.')), response('Three.'));

    const first = await respond({ model: 'stored', input: 'Count.' });
    const second = await resume(first.body.id, { model: 'stored', stream: true });
    const secondId = namedEventsOf(second.body).at(-1).response.id;
    const third = await respond({ model: 'stored', previous_response_id: secondId });

    expect(storing().requests.map(({ body }) => [body.previous_response_id, body.input])).toEqual([
      [undefined, 'Count.'],
      ['resp_stored_1', 'And then?'],
      ['resp_upstream_1', 'And then?'],
    ]);
    expect([first.body.id, secondId, third.body.id].every((id) => OUR_ID.test(id))).toBe(true);
    expect(third.body.previous_response_id).toBe(secondId);
  });

  it('that is stored by a backend is not continued with a model of another, nor while that backend is down', async () => {
    const own = await startGateway({ backends: [{ ...STORING, models: ['mine'] }] });
    const ask = (path: string, model: string) => own.post(`/v1/responses${path}`, { model, input: 'x' });
    own.backend.answer(response('One.'));
    const { body } = await ask('', 'mine');

    const wrongModel = await ask(`/${body.id}/continue`, 'builtin-extractive');
    await own.backend.close();
    const down = await ask(`/${body.id}/continue`, 'mine');
    await own.close();

    expect([wrongModel.status, wrongModel.body.error.code]).toEqual([409, 'conflict']);
    expect([down.status, down.body.error.code]).toEqual([503, 'unavailable']);
  });

  it('that its backend has forgotten is the same 404 as one that never was', async () => {
    const gone = json(404, { error: { message: "Previous response with id 'resp_upstream_1' not found." } });
    storing().answer(response('One.'), gone, gone);
    const first = await respond({ model: 'stored' });

    const answers = [
      await resume(first.body.id, { model: 'stored' }),
      await resume(first.body.id, { model: 'stored', stream: true }),
    ];
    const unknown = await resume(`resp_${'x'.repeat(44)}`, { model: 'stored' });

    for (const { status, body } of answers) expect([status, body]).toEqual([404, unknown.body]);
  });

  it('that was not to be stored cannot be continued', async () => {
    gateway.backend.answer(response('One.'));
    const first = await respond({ store: false });

    const second = await resume(first.body.id);

    expect(first.body.id).toMatch(OUR_ID);
    expect(second.status).toBe(404);
  });

  it('is the same 404 for everyone else, tampered, unknown or of the wrong form', async () => {
    gateway.backend.answer(response('One.'));
    const { body: first } = await respond({});
    const colleague = await addSignedInUser(gateway.platform);
    const stranger = await addSignedInUser(gateway.platform, await addTenant(gateway.platform));
    const at = first.id.length - 1;
    const tampered = first.id.slice(0, at) + (first.id[at] === 'A' ? 'B' : 'A');
    const ids = [tampered, `resp_${'A'.repeat(44)}`, 'resp_1', 'x', first.id.toUpperCase(), `${first.id}A`];

    const answers = [
      ...(await Promise.all([colleague, stranger].map(({ token }) => resume(first.id, {}, token)))),
      ...(await Promise.all(
        [colleague, stranger].map(({ token }) => respond({ previous_response_id: first.id }, '', token)),
      )),
      ...(await Promise.all(ids.map((id) => resume(id)))),
      ...(await Promise.all(ids.map((id) => resume(id, { stream: true })))),
    ];

    const [expected] = answers;
    expect(expected).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    for (const { status, body } of answers) expect([status, body]).toEqual([404, expected?.body]);
    expect(gateway.backend.requests).toHaveLength(1);
  });

  it('is continued with the id of the path, whatever else the body says', async () => {
    gateway.backend.answer(response('One.'), response('Two.'), response('Three.'));
    const first = await respond({});
    const second = await respond({});

    const same = await resume(first.body.id, { previous_response_id: first.body.id });
    const other = await resume(first.body.id, { previous_response_id: second.body.id });

    expect(same.status).toBe(200);
    expect([other.status, other.body.error.param]).toEqual([400, 'previous_response_id']);
  });

  it('whose context is over 4 MiB is remembered as that', async () => {
    gateway.backend.answer(response('One.'));
    const first = await respond({ input: 'x'.repeat(4 * 1024 * 1024) });

    const { status, body } = await resume(first.body.id);

    expect([status, body.error.code]).toEqual([413, 'payload_too_large']);
  });

  it('is continued with another model where the context is ours', async () => {
    gateway.backend.answer(response('One.'), response('Two.'));
    const first = await respond({});

    const second = await resume(first.body.id, { model: 'other' });

    expect([second.status, second.body.model]).toEqual([200, 'other']);
  });

  it('carries calls of tools and their outputs along', async () => {
    const call = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'weather',
      arguments: '{"city":"Bern"}',
      status: 'completed',
    };
    const output = { type: 'function_call_output', call_id: 'call_1', output: 'Rain.' };
    gateway.backend.answer(response('', { output: [call] }), response('Take an umbrella.'));
    const first = await respond({ input: 'Weather?' });

    await resume(first.body.id, { input: [output] });

    expect(gateway.backend.requests[1]?.body.input.slice(1)).toEqual([call, output]);
  });

  it('is continued over GraphQL too', async () => {
    gateway.backend.answer(response('One.'), response('Two.'));
    const first = await respond({});

    const { body } = await gateway.graphql(
      'mutation ($id: ID!, $body: JSON!) { continueResponse(id: $id, body: $body) { outputText raw } }',
      { id: first.body.id, body: { model: 'scripted', input: 'And then?' } },
    );

    expect(body.data.continueResponse).toMatchObject({
      outputText: 'Two.',
      raw: { previous_response_id: first.body.id },
    });
  });

  it('is not continued after a restart, since memory is all that held it', async () => {
    gateway.backend.answer(response('One.'));
    const first = await respond({});

    await gateway.platform.restart();
    const { status } = await resume(first.body.id);

    expect(status).toBe(404);
  });

  function respond(members: object, path = '', token = gateway.token): Promise<RestAnswer> {
    return gateway.respond({ input: 'And then?', ...members }, path, { token });
  }

  function resume(id: string, members: object = {}, token = gateway.token): Promise<RestAnswer> {
    return respond(members, `/${id}/continue`, token);
  }

  /** The model server that stores its responses. */
  function storing(): ScriptedBackend {
    return gateway.backends[1] as ScriptedBackend;
  }
});
