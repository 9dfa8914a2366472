import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/probes/eventually.js';
import { useAskedSpeech } from '../../support/servers/asked-speech.js';
import type { SpeechWay } from '../../support/servers/asked-speech.js';

describe('a spoken text', () => {
  it.each<[SpeechWay, SpeechWay]>([
    ['POST', 'GET'],
    ['GET', 'POST'],
    ['GET', 'GET'],
  ])('that is fetched by %s takes the place of a stream from another by %s', async (first, second) => {
    const [held, other] = [await speech.ask(first), await speech.ask(second)];
    await held();

    const refusal = await other();

    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, '1']);
    speech.leave();
    await eventually('the place is free', 5, async () => (await other()).status === 200);
  });

  const speech = useAskedSpeech({ RATE_LIMIT_STREAMS: '1' }, 'wav');
});
