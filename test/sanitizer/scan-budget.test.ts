import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Metrics } from '../../src/platform/telemetry/metrics.js';
import { CallSanitizer } from '../../src/sanitizer/calls/call-sanitizer.js';
import { Pseudonyms } from '../../src/sanitizer/calls/pseudonyms.js';
import { SanitizerMetrics } from '../../src/sanitizer/calls/sanitizer-metrics.js';
import { TextMatcher } from '../../src/sanitizer/matching/text-matcher.js';
import type { EffectiveDirection } from '../../src/sanitizer/policies/effective-policies.js';

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
    const matcher = new TextMatcher([{ kind: 'email' }]);
    const metrics = new SanitizerMetrics(new Metrics());
    const begin = matcher.scan.bind(matcher);
    const pass = (is: string): void => void (now += is === slow ? 10_001 : 0);
    jest.spyOn(matcher, 'scan').mockImplementation(() => (pass('beginning'), begin()));
    jest.spyOn(metrics, 'countMatch').mockImplementation(() => pass('replacing'));
    const direction: EffectiveDirection = {
      matcher,
      rules: [{ kind: 'email', action: 'mask', policyId: 'pol_1' }],
      blocksUnreadable: true,
    };
    return new CallSanitizer({
      policy: { input: direction, output: direction },
      pseudonyms: new Pseudonyms([]),
      metrics,
      signal: new AbortController().signal,
      givesNumbers: false,
      isRemembered: false,
      answersAreJson: false,
    });
  }
});
