import { afterEach, expect, it, jest } from '@jest/globals';
import { RealtimeSession } from '../../../src/echo/live/realtime-session.js';
import { initialSettings } from '../../../src/echo/live/session-settings.js';
import { NotFound, Outdated, StorageExceeded } from '../../../src/errors.js';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import type { AnyJson } from '../../support/probes/any-json.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('lets others go first after each second of a message that has a minute', async () => {
  const turns = jest.spyOn(CooperativeYield.prototype, 'yield');
  const { session, taken } = await openSession();

  await session.binary(Buffer.alloc(60 * 8_000, 0xff));

  expect(turns).toHaveBeenCalledTimes(59);
  expect(taken).toEqual(Array(60).fill(1));
});

it('listens to nothing more of a message once its socket has ended', async () => {
  const { session, taken, ending } = await openSession();
  jest.spyOn(CooperativeYield.prototype, 'yield').mockImplementationOnce(async () => ending.abort());

  await session.binary(Buffer.alloc(60 * 8_000, 0xff));

  expect(taken).toEqual([1, 1]);
});

it('makes no error, whose stack takes its time, of what is no event', async () => {
  const { session, sent } = await openSession();
  const captured = jest.spyOn(Error, 'captureStackTrace');

  await session.text('1');
  await session.text('{"type":"nobody.knows","event_id":"mine"}');

  expect(sent.slice(-2).map(({ error }) => [error.code, error.param, error.event_id])).toEqual([
    ['bad_request', null, null],
    ['bad_request', 'type', 'mine'],
  ]);
  expect(captured).not.toHaveBeenCalled();
});

it.each([
  [new NotFound(), 1_011],
  [new StorageExceeded('Full.'), 1_011],
  [new Outdated('Another one.', {}), 4_409],
])('is closed where its audio cannot be stored for good: %s', async (error, code) => {
  const { session, sent, closed } = await openSession();

  session.fail(error);

  expect(sent.at(-1)?.error).toMatchObject({ code: error.code, message: error.message });
  expect(closed).toEqual([code]);
});

it('has what decodes a turn start when it opens, and when somebody begins to speak', async () => {
  const { session, sent, expected } = await openSession();
  expect(expected()).toBe(1);

  await session.binary(Buffer.alloc(4_000, LOUD));
  await session.binary(Buffer.alloc(4_000, LOUD));

  expect(sent.filter(({ type }) => type === 'input_audio_buffer.speech_started')).toHaveLength(1);
  expect(expected()).toBe(2);
});

/** In mu-law, the loudest sample. */
const LOUD = 0x80;

/** A session of mu-law, 8,000 bytes a second. */
async function openSession() {
  const ending = new AbortController();
  const taken: number[] = [];
  const sent: AnyJson[] = [];
  const closed: number[] = [];
  const socket = {
    send: async (text: string) => void sent.push(JSON.parse(text)),
    close: (code: number) => void closed.push(code),
  };

  let expected = 0;
  const turns = {
    tellStatus: async () => undefined,
    expectTurn: () => (expected += 1),
    add: async () => undefined,
    finish: async () => undefined,
  };
  const session = new RealtimeSession({
    socket,
    settings: initialSettings(undefined),
    turns: turns as never,
    recording: undefined,
    startBytes: 0,
    pace: { take: async (seconds) => void taken.push(seconds) },
    checkModel: () => Promise.resolve(),
    signal: ending.signal,
  });
  const audio = { input: { format: { type: 'audio/pcmu' } } };
  await session.text(JSON.stringify({ type: 'session.update', session: { type: 'transcription', audio } }));
  return { session, taken, sent, closed, ending, expected: () => expected };
}
