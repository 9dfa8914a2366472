import { expect, it, jest } from '@jest/globals';
import { TurnQueue } from '../../../src/echo/live/turn-queue.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { silentLog } from '../../support/probes/silent-log.js';

/** Turns of 30 s, 16 bits of 16 kHz. */
const SAMPLES = Buffer.alloc(30 * 32_000);

it('lets a session that is stored go on while a model hangs, and says of which turns no live text comes', async () => {
  const { queue, told, recorded, answer } = openQueue('rec_1');

  for (let count = 1; count <= 6; count += 1) await queue.add(turn(String(count), told));
  const failedBefore = told.map(({ type, item_id }) => [type, item_id]);
  answer();
  await queue.finish();

  expect(failedBefore).toEqual([
    ['failed', '5'],
    ['failed', '6'],
  ]);
  expect(told.filter(({ type }) => type === 'completed').map(({ item_id }) => item_id)).toEqual(['1', '2', '3', '4']);
  expect(recorded.filter(({ data }) => data.status === 'failed')).toHaveLength(2);
});

it('lets one that nothing else keeps wait', async () => {
  const { queue, told, answer } = openQueue(undefined);

  for (let count = 1; count <= 3; count += 1) await queue.add(turn(String(count), told));
  const fourth = queue.add(turn('4', told)).then(() => 'added');
  const first = await Promise.race([fourth, new Promise((resolve) => setImmediate(() => resolve('waits')))]);
  answer();

  expect([first, await fourth]).toEqual(['waits', 'added']);
  await queue.finish();
});

it('ends soon where it is stored, and says that no text comes of the turns that still wait', async () => {
  jest.useFakeTimers();
  const { queue, told, answer } = openQueue('rec_1');
  await queue.add(turn('1', told));
  await queue.add(turn('2', told));

  const finished = queue.finish();
  await jest.advanceTimersByTimeAsync(20_000);
  await finished;
  answer();
  await jest.advanceTimersByTimeAsync(1);
  jest.useRealTimers();

  expect(told.map(({ type, item_id }) => [type, item_id])).toEqual([
    ['failed', '1'],
    ['failed', '2'],
  ]);
});

it('ends behind the last turn of a model that is slow, where each is told in time', async () => {
  jest.useFakeTimers();
  const answers = () => new Promise<void>((resolve) => setTimeout(resolve, 15_000));
  const { queue, told } = openQueue('rec_1', { answers });
  for (const id of ['1', '2', '3']) await queue.add(turn(id, told));

  const finished = queue.finish();
  await jest.advanceTimersByTimeAsync(45_000);
  await finished;
  jest.useRealTimers();

  expect(told.flatMap(({ type, item_id }) => (type === 'completed' ? item_id : []))).toEqual(['1', '2', '3']);
  expect(told.some(({ type }) => type === 'failed')).toBe(false);
});

it('does not tell that a turn has failed of which all was told, and which is still being stored', async () => {
  jest.useFakeTimers();
  const { queue, told, answer } = openQueue('rec_1', { storing: new Promise(() => undefined) });
  await queue.add(turn('1', told));
  answer();

  const finished = queue.finish();
  await jest.advanceTimersByTimeAsync(20_000);
  await finished;
  jest.useRealTimers();

  expect(told.map(({ type }) => type)).toEqual(['delta', 'segment', 'completed']);
});

it('marks what the model has said again and again', async () => {
  const { queue, told, recorded, answer } = openQueue('rec_1', { lowConfidence: true });

  await queue.add(turn('1', told));
  answer();
  await queue.finish();

  const marked = told.filter(({ low_confidence }) => low_confidence).map(({ type }) => type);
  expect(marked).toEqual(['segment', 'completed']);
  expect(recorded.map(({ type, data }) => [type, data.low_confidence])).toEqual([
    ['PARTIAL', true],
    ['FINAL', true],
  ]);
});

interface QueueOptions {
  readonly lowConfidence?: boolean;
  /** When the events of a turn are stored. */
  readonly storing?: Promise<void>;
  /** When the model answers a turn; default: when `answer` is called. */
  readonly answers?: () => Promise<void>;
}

function openQueue(recordingId: string | undefined, { lowConfidence = false, storing, answers }: QueueOptions = {}) {
  const [told, recorded]: AnyJson[][] = [[], []];
  const gate = Promise.withResolvers<void>();
  const segment = { start: 0, end: 1, text: 'heard', speaker: null, words: null, lowConfidence };
  const transcribe = async () => {
    await (answers?.() ?? gate.promise);
    return { segments: [segment] };
  };
  const add = async (_id: string, events: readonly object[]) => {
    await storing;
    recorded?.push(...events);
  };
  const queue = new TurnQueue({
    caller: {} as never,
    transcriber: { transcribe } as never,
    context: { signal: new AbortController().signal } as never,
    events: { add } as never,
    recordingId,
    lateSeconds: 20,
    log: silentLog,
  });
  return { queue, told: told as AnyJson[], recorded: recorded as AnyJson[], answer: () => gate.resolve() };
}

function turn(itemId: string, told: AnyJson[]) {
  return {
    itemId,
    startMs: 0,
    samples: SAMPLES,
    model: undefined,
    language: undefined,
    prompt: undefined,
    send: (type: string, members: object) => void told.push({ type: type.split('.').at(-1), ...members }),
  };
}
