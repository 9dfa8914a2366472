import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { AnswerText } from '../../../src/inference/calls/text-transform.js';
import { TextFrameRelay } from '../../../src/inference/completions/text-frame-relay.js';
import { DONE, chunk } from '../../support/servers/scripted-backend.js';
import { SecretTransform } from '../../support/builders/secret-transform.js';
import { probeStream, readBatches } from '../../support/probes/stream-probe.js';
import type { StreamProbe } from '../../support/probes/stream-probe.js';

const FRAMES = 200;

describe('a stream whose texts take long to change', () => {
  let now = 0;
  afterEach(() => void jest.restoreAllMocks());

  it.each([
    ['by batch, of two choices in turn', 2, (probe: StreamProbe) => readBatches(probe.stream), FRAMES],
    ['by event', 1, (probe: StreamProbe) => readEvents(probe), FRAMES],
    // Their texts are looked through together, 4,096 characters at a time.
    ['by batch, of frames that differ in their text alone', 1, (probe: StreamProbe) => readBatches(probe.stream), 4],
  ])('lets others have their turn although it arrives at once: %s', async (_how, choices, read, least) => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const frames = Array.from({ length: FRAMES }, (_, at) => frameOf(at % choices));
    const probe = probeStream([`${frames.join('')}${chunk({}, 'stop')}${DONE}`], 'end', { textTransform: slow() });
    const others = countTurns();

    await read(probe);

    expect(others.end()).toBeGreaterThanOrEqual(least);
  });

  it('has but a few of the frames of a block learnt that are each unlike the one before', async () => {
    const learn = jest.spyOn(TextFrameRelay.prototype, 'learn');
    const frames = Array.from({ length: FRAMES }, (_, at) => frameOf(at % 2));
    const probe = probeStream([`${frames.join('')}${chunk({}, 'stop')}${DONE}`], 'end', {
      textTransform: new SecretTransform(),
    });

    const { text } = await readBatches(probe.stream);

    expect(learn.mock.calls.length).toBe(3);
    expect(text.split('many words').length - 1).toBe(FRAMES * 10);
  });

  /** One that takes ten milliseconds for each piece of a text. */
  function slow(): SecretTransform {
    const transform = new SecretTransform();
    const begin = transform.beginAnswer.bind(transform);
    transform.beginAnswer = (): AnswerText => {
      const text = begin();
      const write = text.write.bind(text);
      return Object.assign(text, { write: (piece: string) => ((now += 10), write(piece)) });
    };
    return transform;
  }
});

function frameOf(choice: number): string {
  return chunk({ content: 'many words '.repeat(10) }).replace('"index":0', `"index":${choice}`);
}

async function readEvents({ stream }: StreamProbe): Promise<void> {
  for await (const event of stream) void event;
}

/** Counts the turns of the event loop that others have had, until it is ended. */
function countTurns(): { end(): number } {
  let turns = 0;
  const take = (): NodeJS.Immediate =>
    setImmediate(() => {
      turns += 1;
      next = take();
    });
  let next = take();
  return {
    end: () => {
      clearImmediate(next);
      return turns;
    },
  };
}
