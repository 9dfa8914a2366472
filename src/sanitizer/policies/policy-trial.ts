import { BadRequest } from '../../errors.js';
import type { ScannedText, TextMatch } from '../matching/match.types.js';
import { AddedCharacters } from '../added-characters.js';
import { Pseudonyms } from '../pseudonyms.js';
import { decidingRule, maskOf, replaceMatches } from '../replacement.js';
import { ScanBudget } from '../scan-budget.js';
import { toRefusal } from '../undecided.js';
import { checkRules } from './policy-settings.js';
import type { SanitizerRule, SanitizerTest } from './sanitizer-policy.types.js';

const MAX_TEXT_CHARACTERS = 100_000;
/** How long the process may be busy with a trial. */
const MAX_BUSY_MS = 5_000;

/**
 * Tries rules on a text. All of them are tried, whichever direction they apply to. Nothing is stored.
 * @param signal ends it where nobody waits any more
 * @throws BadRequest that names the field; ContentBlocked where a call would be refused undecided; the reason of the signal
 */
export async function tryRules(text: string, rules: SanitizerRule[], signal: AbortSignal): Promise<SanitizerTest> {
  if (text.length > MAX_TEXT_CHARACTERS) {
    throw new BadRequest(`text may have ${MAX_TEXT_CHARACTERS} characters at most.`, 'text');
  }
  const checked = await checkRules({ rules }, signal);
  const pseudonyms = new Pseudonyms([text]);
  const trial = new Trial(pseudonyms, checked.rules);
  try {
    const budget = new ScanBudget(MAX_BUSY_MS, signal);
    while (!pseudonyms.isReserved) {
      budget.take(0, () => pseudonyms.reserveNext());
      await budget.takeTurn();
    }
    const begin = () => checked.matcher.scan();
    for await (const scanned of budget.scanWhole(text, begin)) budget.take(0, () => trial.add(scanned));
  } catch (error) {
    throw toRefusal(error);
  }
  return trial.outcome;
}

/** What has been found in a text so far, and what a call would make of it. */
class Trial {
  readonly outcome: SanitizerTest = { matches: [], result: '', blocked: false };
  private readonly added = new AddedCharacters();
  private length = 0;

  constructor(
    private readonly pseudonyms: Pseudonyms,
    private readonly rules: readonly Pick<SanitizerRule, 'kind' | 'action'>[],
  ) {}

  add(scanned: ScannedText): void {
    this.outcome.result += replaceMatches(scanned, (found, match) => this.replace(found, match));
    this.length += scanned.text.length;
  }

  private replace(found: string, { start, end, rules }: TextMatch): string {
    const { action, kind } = decidingRule(rules.flatMap((at) => this.rules[at] ?? []));
    this.outcome.matches.push({ kind, start: this.length + start, end: this.length + end });
    if (action === 'block') this.outcome.blocked = true;
    const replacement = action === 'pseudonymize' ? this.pseudonyms.replaceInPrompt(kind, found) : maskOf(kind);
    this.added.add(found, replacement);
    return replacement;
  }
}
