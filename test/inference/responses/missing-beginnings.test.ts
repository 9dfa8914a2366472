import { afterEach, describe, expect, it } from '@jest/globals';
import { openaiClient } from '../../support/builders/openai-client.js';
import { completeEvents, namedEvent, namedEventsOf } from '../../support/builders/response-streams.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { unpublishedInStream } from '../../support/probes/published-response.js';
import { stream } from '../../support/servers/scripted-backend.js';
import { useGateway } from '../../support/servers/use-servers.js';
import {
  MESSAGE,
  CALL,
  THOUGHT,
  SEARCH,
  created,
  text,
  given,
  thought,
  done,
  completed,
  IN_MESSAGE,
  ADDED,
  DELTAS,
} from './begun-events.js';
import type { Event } from './begun-events.js';

describe('a responses stream whose server does not tell what begins', () => {
  const gateway = useGateway({ backends: [{ supports: ['responses'] }] });

  afterEach(() => gateway.backend.reset());

  it.each<[string, Event[], object[], string[]]>([
    [
      'an item and its part',
      [...text(IN_MESSAGE), done(0, MESSAGE), completed(MESSAGE)],
      [MESSAGE],
      [...ADDED, ...DELTAS, 'output_item.done'],
    ],
    [
      'a part alone',
      [
        ['response.output_item.added', { output_index: 0, item: { ...MESSAGE, status: 'in_progress', content: [] } }],
        ...text(IN_MESSAGE),
        done(0, MESSAGE),
        completed(MESSAGE),
      ],
      [MESSAGE],
      [...ADDED, ...DELTAS, 'output_item.done'],
    ],
    [
      'that the item ends',
      [
        ['response.output_item.added', { output_index: 0, item: { ...MESSAGE, status: 'in_progress', content: [] } }],
        ...text(IN_MESSAGE),
        completed({ ...MESSAGE, id: 'msg_2' }),
      ],
      [MESSAGE],
      [...ADDED, ...DELTAS, 'output_item.done'],
    ],
    [
      'but the end of an item in whose place another is',
      [
        ['response.output_item.added', { output_index: 0, item: { ...MESSAGE, status: 'in_progress', content: [] } }],
        ...text(IN_MESSAGE),
        completed(THOUGHT),
      ],
      [],
      [...ADDED, ...DELTAS],
    ],
    ['what ends too', [...text(IN_MESSAGE), completed(MESSAGE)], [MESSAGE], [...ADDED, ...DELTAS, 'output_item.done']],
    [
      'where it is, and what its id is',
      [...text({}), completed(MESSAGE)],
      [{ ...MESSAGE, id: expect.any(String) }],
      [...ADDED, ...DELTAS, 'output_item.done'],
    ],
    [
      'anything but the whole item',
      [done(0, MESSAGE), done(1, CALL), completed(MESSAGE, CALL)],
      [MESSAGE, CALL],
      ['output_item.added', 'output_item.done', 'output_item.added', 'output_item.done'],
    ],
    [
      'anything but the whole response',
      [completed(THOUGHT, MESSAGE, CALL)],
      [THOUGHT, MESSAGE, CALL],
      Array.from({ length: 3 }, () => ['output_item.added', 'output_item.done']).flat(),
    ],
    [
      'a call of a tool, whose id comes last',
      [...given({ item_id: 'fc_1', output_index: 0 }), done(0, CALL), completed(CALL)],
      [CALL],
      ['output_item.added', ...given({}).map(([type]) => type.slice(9)), 'output_item.done'],
    ],
    [
      'a call of a tool, whose id comes with the whole response',
      [...given({ item_id: 'fc_1', output_index: 0 }), completed(CALL)],
      [CALL],
      ['output_item.added', ...given({}).map(([type]) => type.slice(9)), 'output_item.done'],
    ],
    [
      'a call of a tool that nobody names',
      [...given({ item_id: 'fc_1', output_index: 0 }), completed()],
      [],
      ['output_item.added', ...given({}).map(([type]) => type.slice(9))],
    ],
    [
      'a part that its item begins with',
      [
        ['response.output_item.added', { output_index: 0, item: MESSAGE }],
        ...text(IN_MESSAGE),
        done(0, MESSAGE),
        completed(MESSAGE),
      ],
      [MESSAGE],
      ['output_item.added', ...DELTAS, 'output_item.done'],
    ],
    [
      'thoughts and their summary',
      [...thought({ item_id: 'rs_1', output_index: 0 }), done(0, THOUGHT), completed(THOUGHT)],
      [THOUGHT],
      [
        'output_item.added',
        'reasoning_summary_part.added',
        'reasoning_summary_text.delta',
        'content_part.added',
        'reasoning_text.delta',
        'output_item.done',
      ],
    ],
    [
      'a search, and items without places',
      [
        ['response.web_search_call.in_progress', { item_id: 'ws_1' }],
        ...text({ item_id: 'msg_1' }),
        ...given({ item_id: 'fc_1' }),
        done(2, CALL),
        completed(SEARCH, MESSAGE, CALL),
      ],
      [SEARCH, MESSAGE, CALL],
      [
        'output_item.added',
        'web_search_call.in_progress',
        ...ADDED,
        ...DELTAS,
        'output_item.added',
        ...given({}).map(([type]) => type.slice(9)),
        'output_item.done',
        'output_item.done',
        'output_item.done',
      ],
    ],
  ])('gets it put in: %s', async (_what, events, output, types) => {
    // Some number their events, and some do not: what is put in has numbers of its own.
    for (const numbered of [true, false]) {
      gateway.backend.answer(served([created, ...events], numbered));

      const { body } = await gateway.respond({ stream: true });

      const told = namedEventsOf(body);
      expect(told.slice(1, -1).map(({ type }) => type.slice('response.'.length))).toEqual(types);
      expect(told.map(({ sequence_number: number }) => number)).toEqual(told.map((_, index) => index));
      expect(begunBefore(told)).toEqual([]);
      const whole: unknown[] = [];
      for (const { type, output_index: index, item } of told) {
        if (type === 'response.output_item.done') whole[index] = item;
      }
      expect(whole).toEqual(output);
      expect(unpublishedInStream(body).wrong).toEqual([]);
    }
  });

  it.each<[string, Event[], object[]]>([
    ['a text', [...text(IN_MESSAGE), done(0, MESSAGE), completed(MESSAGE)], [MESSAGE]],
    ['a text that never ends', [...text(IN_MESSAGE), completed(MESSAGE)], [MESSAGE]],
    ['a call', [...given({ item_id: 'fc_1', output_index: 0 }), done(0, CALL), completed(CALL)], [CALL]],
    ['thoughts', [...thought({ item_id: 'rs_1', output_index: 0 }), done(0, THOUGHT), completed(THOUGHT)], [THOUGHT]],
  ])('is gathered by the helper of the OpenAI SDK: %s', async (_what, events, output) => {
    gateway.backend.answer(served([created, ...events], true));

    const final = await openaiClient(gateway).responses.stream({ model: 'scripted', input: 'Hi' }).finalResponse();

    expect(final.output).toMatchObject(output);
  });

  it('says once what its server says late', async () => {
    const late = completeEvents('Hi');
    const [begun = '', item = '', part = '', delta = '', ...rest] = late;
    gateway.backend.answer(stream(begun, delta, item, part, delta, ...rest));

    const { body } = await gateway.respond({ stream: true });

    const types = namedEventsOf(body).map(({ type }) => type);
    expect(types.filter((type) => type.endsWith('.added'))).toHaveLength(2);
    expect(types.filter((type) => type.endsWith('.delta'))).toHaveLength(2);
  });
});

function served(events: readonly Event[], numbered: boolean) {
  return stream(
    ...events.map(([type, members], number) =>
      namedEvent(type, numbered ? { sequence_number: number, ...members } : members),
    ),
  );
}

/** The events of items and parts that have not begun yet. */
function begunBefore(events: readonly AnyJson[]): AnyJson[] {
  const begun = new Set<string>();
  return events.filter(({ type, output_index: output, content_index: content, summary_index: summary, ...event }) => {
    if (output === undefined) return false;
    const part = content === undefined && summary === undefined ? [] : [`${output} ${content} ${summary}`];
    if (type.endsWith('.added')) [`${output}`, ...part].forEach((place) => begun.add(place));
    if (event.item?.content?.length > 0) begun.add(`${output} 0 undefined`);
    const hasId = type.startsWith('response.output_item.') || typeof event.item_id === 'string';
    return !hasId || ![`${output}`, ...part].every((place) => begun.has(place));
  });
}
