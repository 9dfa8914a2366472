import { describe, expect, it } from '@jest/globals';
import { readableName } from '../../../src/platform/text/name.js';

describe('a name that somebody else has given', () => {
  it.each([
    ['is trimmed', '  Ann Lee ', 'Ann Lee'],
    ['has no control characters', 'Ann\r\nLee\u001b[m', 'Ann Lee [m'],
    ['has no half characters', 'Ann\ud83d', 'Ann'],
    ['is cut between characters', `${'😀'.repeat(9)}xy`, `${'😀'.repeat(9)}x`],
    ['may be nothing', ' \u0007 ', ''],
  ])('%s', (_what, text, name) => {
    expect(readableName(text, 10)).toBe(name);
  });
});
