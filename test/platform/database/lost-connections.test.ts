import { describe, expect, it } from '@jest/globals';
import { readAgainIfLost } from '../../../src/platform/database/postgres-errors.js';

describe('a read that many wait for', () => {
  it.each([
    ['Connection terminated unexpectedly', 2, 3, 'read'],
    ['Connection terminated unexpectedly', 100, 6, 'failed'],
    ['The database does not answer.', 1, 1, 'failed'],
  ])('is asked again where the connection broke: %s, %d times', async (message, failures, asked, result) => {
    let count = 0;
    const read = async () => {
      count += 1;
      if (count <= failures) throw new Error(message);
      return 'read';
    };

    const ended = await readAgainIfLost(read).catch(() => 'failed');

    expect([ended, count]).toEqual([result, asked]);
  });
});
