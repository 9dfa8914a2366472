import { Metrics } from '../../../src/platform/telemetry/metrics.js';
import { CallSanitizer } from '../../../src/sanitizer/calls/call-sanitizer.js';
import { SanitizerMetrics } from '../../../src/sanitizer/calls/sanitizer-metrics.js';
import { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import type { EffectiveRule } from '../../../src/sanitizer/policies/effective-policies.js';
import { Pseudonyms } from '../../../src/sanitizer/pseudonyms.js';
import { ScanPace } from '../../../src/sanitizer/scan-pace.js';

/** A sanitizer of one call with one rule for addresses of mail, both ways, and what it is made of. */
export function newCallSanitizer(action: EffectiveRule['action'] = 'mask') {
  const server = new Metrics();
  const matcher = new TextMatcher([{ kind: 'email' }]);
  const metrics = new SanitizerMetrics(server);
  const direction = { matcher, rules: [{ kind: 'email', action }], blocksUnreadable: true } as const;
  const sanitizer = new CallSanitizer({
    policy: { input: direction, output: direction, pace: new ScanPace() },
    pseudonyms: new Pseudonyms([]),
    metrics,
    signal: new AbortController().signal,
    givesNumbers: false,
    isRemembered: false,
    answersAreJson: false,
  });
  return { sanitizer, matcher, metrics, server };
}
