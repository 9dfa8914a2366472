import { describe, expect, it } from '@jest/globals';
import { MemoryTopics } from '../../../src/platform/cluster/topics.js';

describe('topics', () => {
  it('bring every message to every listener of its topic, in order', () => {
    const topics = new MemoryTopics();
    const heard: [unknown[], unknown[], unknown[]] = [[], [], []];
    topics.subscribe('a', (message) => heard[0].push(message));
    topics.subscribe('a', (message) => heard[1].push(message));
    topics.subscribe('b', (message) => heard[2].push(message));

    for (const message of [1, 2]) topics.publish('a', message);
    topics.publish('b', 3);

    expect(heard).toEqual([[1, 2], [1, 2], [3]]);
  });

  it('are heard from the subscription to its end, whoever else listens', () => {
    const topics = new MemoryTopics();
    const heard: unknown[] = [];
    const others: unknown[] = [];
    topics.publish('a', 'missed');
    const end = topics.subscribe('a', (message) => heard.push(message));
    topics.publish('a', 'heard');
    end();
    const endOther = topics.subscribe('a', (message) => others.push(message));
    end();
    topics.publish('a', 'missed too');
    endOther();

    expect([heard, others]).toEqual([['heard'], ['missed too']]);
  });
});
