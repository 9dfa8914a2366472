import { BadRequest } from '../../errors.js';
import { MatchLimitExceeded } from '../matching/match-limit-exceeded.js';
import type { MatchKind, ScannedText, TextMatch } from '../matching/match.types.js';
import { decidingRule, maskOf, pseudonymOf, replaceMatches } from '../replacement.js';
import { ScanBudget } from '../scan-budget.js';
import { ScanTimeout } from '../scan-timeout.js';
import { checkRules } from './policy-settings.js';
import type { SanitizerRule, SanitizerTest } from './sanitizer-policy.types.js';

const MAX_TEXT_CHARACTERS = 100_000;
/** How long the process may be busy with a trial. */
const MAX_BUSY_MS = 5_000;

/**
 * Tries rules on a text. All of them are tried, whichever direction they apply to. Nothing is stored.
 * @param signal ends it where nobody waits any more
 * @throws BadRequest that names the field; the reason of the signal
 */
export async function tryRules(text: string, rules: SanitizerRule[], signal: AbortSignal): Promise<SanitizerTest> {
  if (text.length > MAX_TEXT_CHARACTERS) {
    throw new BadRequest(`text may have ${MAX_TEXT_CHARACTERS} characters at most.`, 'text');
  }
  const checked = checkRules({ rules });
  const trial = new Trial(checked.rules);
  try {
    const budget = new ScanBudget(MAX_BUSY_MS, signal);
    const begin = () => checked.matcher.scan();
    for await (const scanned of budget.scanWhole(text, begin)) budget.take(0, () => trial.add(scanned));
  } catch (error) {
    if (error instanceof ScanTimeout) throw new BadRequest(`rules: ${error.message}`, 'rules');
    if (error instanceof MatchLimitExceeded) throw new BadRequest(`text: ${error.message}`, 'text');
    throw error;
  }
  return trial.outcome;
}

/** What has been found in a text so far. */
class Trial {
  readonly outcome: SanitizerTest = { matches: [], result: '', blocked: false };
  private length = 0;
  /** By the kind: the numbers of the texts that were replaced. */
  private readonly numbers = new Map<MatchKind, Map<string, number>>();

  constructor(private readonly rules: readonly Pick<SanitizerRule, 'kind' | 'action'>[]) {}

  add(scanned: ScannedText): void {
    this.outcome.result += replaceMatches(scanned, (found, match) => this.replace(found, match));
    this.length += scanned.text.length;
  }

  private replace(found: string, { start, end, rules }: TextMatch): string {
    const { action, kind } = decidingRule(rules.flatMap((at) => this.rules[at] ?? []));
    this.outcome.matches.push({ kind, start: this.length + start, end: this.length + end });
    if (action === 'block') this.outcome.blocked = true;
    return action === 'pseudonymize' ? pseudonymOf(kind, this.numberOf(kind, found)) : maskOf(kind);
  }

  /** The same text has the same number. */
  private numberOf(kind: MatchKind, original: string): number {
    const numbers = this.numbers.get(kind) ?? new Map<string, number>();
    this.numbers.set(kind, numbers);
    const number = numbers.get(original) ?? numbers.size + 1;
    numbers.set(original, number);
    return number;
  }
}
