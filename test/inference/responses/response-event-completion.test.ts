import { describe, expect, it } from '@jest/globals';
import { namedEvent, namedEventsOf, responseObject } from '../../support/builders/response-streams.js';
import { stream } from '../../support/servers/scripted-backend.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('the events of a response whose upstream is careless', () => {
  const gateway = useGateway();

  const respond = () => gateway.post('/v1/responses', { model: 'scripted', input: 'Hi', stream: true });

  it('are completed where one lacks what clients gather it by, wherever it comes', async () => {
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    gateway.backend.answer(
      stream(
        namedEvent('response.created', { sequence_number: 0, response: responseObject('', { output: null }) }),
        namedEvent('response.output_item.added', { item: { type: 'message', id: 'msg_1' } }),
        namedEvent('response.output_text.delta', { sequence_number: 2, ...place, delta: 'a' }),
        namedEvent('response.output_text.delta', { sequence_number: 3, item_id: 'msg_1', delta: 'b' }),
        namedEvent('response.output_text.delta', { ...place, delta: 'c' }),
        namedEvent('response.output_text.delta', { delta: 'd' }),
        namedEvent('response.completed', { response: responseObject('abcd') }),
      ),
    );

    const { body } = await respond();

    const events = namedEventsOf(body);
    expect(events.map(({ sequence_number: number }) => number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(events[0].response.output).toEqual([]);
    expect(events.slice(1, -1).map(({ output_index: index }) => index)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(events.slice(2, -2).map(({ content_index: index }) => index)).toEqual([0, 0, 0, 0, 0]);
    expect(events.slice(2, -2).map(({ item_id: id }) => id)).toEqual(Array.from({ length: 5 }, () => 'msg_1'));
  });

  it.each([
    ['the ids of items are long', (n: number) => ({ type: 'message', id: `${n}${'x'.repeat(5_000)}` })],
    ['ids are no texts', (n: number) => ({ type: 'message', id: { n } })],
    ['items have no ids', () => ({ type: 'message' })],
  ])('get each item a place also where %s', async (_what, itemOf) => {
    const added = [0, 1, 2].map((n) => namedEvent('response.output_item.added', { item: itemOf(n) }));
    const begun = namedEvent('response.created', { response: responseObject('', { output: [] }) });
    gateway.backend.answer(stream(begun, ...added, namedEvent('response.completed', { response: responseObject('') })));

    const { body } = await respond();

    const events = namedEventsOf(body).filter(({ type }) => type === 'response.output_item.added');
    expect(events.map(({ output_index: index }) => index)).toEqual([0, 1, 2]);
  });

  it('end in an error where there are more items than any response has', async () => {
    const added = Array.from({ length: 1_001 }, () => namedEvent('response.output_item.added', { item: {} }));
    gateway.backend.answer(stream(...added));

    const { body } = await respond();

    expect(body).toContain('too many items');
    expect(body).not.toContain('response.completed');
  });

  it('are not broken by an upstream id that is as short as a word', async () => {
    const short = responseObject('', { id: '1', output: [] });
    gateway.backend.answer(
      stream(
        namedEvent('response.created', { sequence_number: 0, response: short }),
        namedEvent('response.output_text.delta', {
          sequence_number: 1,
          item_id: 'msg_1',
          response_id: '1',
          output_index: 0,
          content_index: 0,
          delta: '1',
        }),
        namedEvent('response.completed', { sequence_number: 2, response: responseObject('1', { id: '1' }) }),
      ),
    );

    const { body } = await respond();

    const [created, ...events] = namedEventsOf(body);
    const delta = events.find(({ type }) => type === 'response.output_text.delta');
    expect(delta).toMatchObject({ delta: '1', item_id: 'msg_1', response_id: created.response.id });
  });
});
