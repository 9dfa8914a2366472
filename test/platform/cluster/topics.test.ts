import { describe, expect, it } from '@jest/globals';
import { MemoryTopics } from '../../../src/platform/cluster/topics.js';

describe('topics', () => {
  it('bring every message to every subscriber of its topic, in order', async () => {
    const topics = new MemoryTopics();
    const readers = [topics.subscribe('a'), topics.subscribe('a'), topics.subscribe('b')];
    const firsts = readers.map((reader) => reader.next());

    for (const message of [1, 2]) topics.publish('a', message);
    topics.publish('b', 3);

    expect((await Promise.all(firsts)).map(({ value }) => value)).toEqual([1, 1, 3]);
    expect((await readers[0]?.next())?.value).toBe(2);
  });

  it('begin with the first next', async () => {
    const topics = new MemoryTopics();
    const reader = topics.subscribe('a');

    topics.publish('a', 'missed');
    const first = reader.next();
    topics.publish('a', 'heard');

    expect((await first).value).toBe('heard');
  });

  it('end while a next is pending, and hear nothing afterwards', async () => {
    const topics = new MemoryTopics();
    const reader = topics.subscribe('a');
    const pending = reader.next();

    await reader.return?.();
    topics.publish('a', 1);

    expect([(await pending).done, (await reader.next()).done]).toEqual([true, true]);
  });

  it('keep a bounded number of messages for a slow reader: the youngest', async () => {
    const topics = new MemoryTopics();
    const reader = topics.subscribe('a');
    const first = reader.next();
    topics.publish('a', -1);
    await first;

    for (let message = 0; message < 1_500; message += 1) topics.publish('a', message);

    expect((await reader.next()).value).toBe(500);
  });
});
