import { describe, expect, it, jest } from '@jest/globals';
import { MemoryTopics } from '../../../src/platform/cluster/topics.js';
import { ResearchNotifier } from '../../../src/researcher/sessions/research-notifier.js';
import { eventually } from '../../support/probes/eventually.js';

describe('ResearchNotifier', () => {
  const topics = new MemoryTopics();
  const notifier = new ResearchNotifier(topics);

  it('tells changes of a session together, and that it was cancelled at once', async () => {
    const heard: string[] = [];
    const stop = notifier.listen('rs_1', (change) => void heard.push(change));

    for (let index = 0; index < 100; index += 1) notifier.changed('rs_1');
    notifier.cancelled('rs_1');
    notifier.changed('rs_2');
    notifier.cancelled('rs_2');
    await eventually('the changes are told', 5, () => heard.length === 2);
    stop();
    notifier.cancelled('rs_1');

    expect(heard).toEqual(['cancelled', 'changed']);
  });

  it('tells other replicas, and minds no message that is none', () => {
    const heard: string[] = [];
    const stop = new ResearchNotifier(topics).listen('rs_1', (change) => void heard.push(change));

    for (const message of [null, 'cancelled', 7, [], { change: 'nonsense' }])
      topics.publish('researcher:rs_1', message);
    notifier.cancelled('rs_1');
    stop();

    expect(heard).toEqual(['changed', 'cancelled']);
  });

  it('tells nothing any more when it is closed', async () => {
    jest.useFakeTimers();
    const closed = new ResearchNotifier(topics);
    const heard: string[] = [];
    const stop = closed.listen('rs_1', (change) => void heard.push(change));

    closed.changed('rs_1');
    closed.close();
    await jest.advanceTimersByTimeAsync(60_000);
    jest.useRealTimers();
    stop();

    expect(heard).toEqual([]);
  });
});
