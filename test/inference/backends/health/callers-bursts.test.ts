import { afterEach, describe, expect, it } from '@jest/globals';
import { completion, htmlPage, json, silence } from '../../../support/servers/scripted-backend.js';
import type { Script } from '../../../support/servers/scripted-backend.js';
import { BAD, CarelessCallers, refusal } from './careless-callers.js';

describe('servers that fail at what a caller sends in a burst', () => {
  let callers: CarelessCallers;

  afterEach(() => callers.gateway.close());

  it.each<[string, Script, boolean]>([
    ['500 of plain text', { status: 500, type: 'text/plain', pieces: ['Internal Server Error'] }, true],
    ['500 that says why', refusal(500, 'image input is not supported'), true],
    ['502 of a proxy', htmlPage(502), true],
    ['504 of a proxy', htmlPage(504), true],
    ['reset', { ending: 'reset' }, true],
    ['empty answer', json(200, ''), false],
    ['page in place of an answer', htmlPage(200), false],
    ['encoding that was not asked for', { headers: { 'content-encoding': 'br' }, pieces: ['xyz'] }, true],
    ['cut answer', { ...completion('Hi.'), headers: { 'content-length': '10000' }, ending: 'cut' }, false],
    ['head that comes too late', silence(), true],
  ])('serve everybody else after the burst of one whom they answer with a %s', async (what, bad, again) => {
    // As short for this one alone: a busy machine may keep good answers for longer.
    callers = await CarelessCallers.start(2, 2, bad, what === 'head that comes too late' ? { timeout_seconds: 1 } : {});

    await Promise.all([0, 1, 2].map((turn) => callers.ask(0, `${BAD} ${turn}`)));
    const inVain = callers.gateway.received;
    const burst = Promise.all([3, 4, 5].map((turn) => callers.ask(0, `${BAD} ${turn}`)));
    const statuses: number[] = [];
    for (let turn = 0; turn < 30; turn += 1) statuses.push((await callers.ask(1, `good ${turn}`)).status);

    expect(statuses).toEqual(Array(30).fill(200));
    expect(inVain).toBe(again ? 6 : 3);
    expect(await callers.health()).toEqual([true, true]);
    expect((await burst).every(({ status }) => status >= 502)).toBe(true);
  });
});
