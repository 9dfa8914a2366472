import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CallSanitizer } from '../../src/sanitizer/calls/call-sanitizer.js';
import { newCallSanitizer } from '../support/builders/call-sanitizer.js';

describe('the time that there is for the texts of a call', () => {
  let now: number;

  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());

  it.each(['beginning', 'replacing'])('is spent by %s, too', async (slow) => {
    const sanitizer = sanitizerThatIsSlow(slow);
    const prompt = async (): Promise<string> => sanitizer.transformPrompt('a@b.com', 'text');

    const changed = await prompt();

    expect(changed).toBe('[EMAIL]');
    await expect(prompt()).rejects.toMatchObject({ status: 422, code: 'content_blocked' });
  });

  it.each(['beginning', 'replacing'])('is spent by %s in answers, too', (slow) => {
    const sanitizer = sanitizerThatIsSlow(slow);
    const answer = (): void => {
      const text = sanitizer.beginAnswer('text');
      text.write('a@b.com');
      text.end();
    };

    const answers = (): void => void [answer(), answer()];

    expect(answers).toThrow(expect.objectContaining({ status: 422, code: 'content_blocked' }));
  });

  /** One to whose clock this adds six seconds for each text with an address. */
  function sanitizerThatIsSlow(slow: string): CallSanitizer {
    const { sanitizer, matcher, metrics } = newCallSanitizer();
    const begin = matcher.scan.bind(matcher);
    const pass = (is: string): void => void (now += is === slow ? 10_001 : 0);
    jest.spyOn(matcher, 'scan').mockImplementation(() => (pass('beginning'), begin()));
    jest.spyOn(metrics, 'countMatch').mockImplementation(() => pass('replacing'));
    return sanitizer;
  }
});
