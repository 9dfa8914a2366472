import { QuotaExceeded } from '../../errors.js';
import { secondsToNextMonth } from '../../platform/month.js';

/** What is told of each limit. */
const EXCEEDED = {
  requests: 'The requests of this month are used up.',
  tokens:
    'The tokens of this month do not suffice for this call: its prompt and the longest answer that it allows count. A smaller max_tokens may help.',
  audio: 'The seconds of audio of this month do not suffice for this call.',
} as const;

/** The refusal of a call beyond a quota. @param requestsPerMinute told as ever: a client reads the same headers from every refusal */
export function quotaExceeded(limit: keyof typeof EXCEEDED, requestsPerMinute: number): QuotaExceeded {
  const state = { limit: requestsPerMinute, remaining: 0, resetSeconds: secondsToNextMonth(new Date()) };
  return new QuotaExceeded(EXCEEDED[limit], state);
}
