import { ContentBlocked } from '../../errors.js';
import type { AnswerText, TextEdit, TextEdits, TextFormat, TextTransform } from '../../inference/domain.js';
import { AddedCharacters } from '../added-characters.js';
import type { TextMatch } from '../matching/match.types.js';
import type { EffectiveDirection, EffectivePolicy } from '../policies/effective-policies.js';
import { decidingRule, maskOf } from '../replacement.js';
import { ScanBudget } from '../scan-budget.js';
import { ScanTimeout } from '../scan-timeout.js';
import { toRefusal } from '../undecided.js';
import { PseudonymRestorer } from './pseudonym-restorer.js';
import type { Pseudonyms } from '../pseudonyms.js';
import { ReplacedText } from './replaced-text.js';
import type { Replace } from './replaced-text.js';
import type { SanitizerMetrics } from './sanitizer-metrics.js';

/** How long the texts of one call may be looked through, in both directions. */
const MAX_MS = 10_000;
/** How long one piece of a streamed answer may be looked through: all others wait for it. */
const MAX_PIECE_MS = 500;

const UNREADABLE =
  'A sanitizer policy does not let parts pass that it cannot read: images, sounds, files, token numbers.';

interface CallSanitizerParts {
  readonly policy: EffectivePolicy;
  readonly pseudonyms: Pseudonyms;
  readonly metrics: SanitizerMetrics;
  /** Of the call. */
  readonly signal: AbortSignal;
  /** Whether pseudonyms may be given in the call or, where the conversation has some, in a later one. */
  readonly givesNumbers: boolean;
  /** Whether the server keeps the conversation, so that later calls need to know what was said. */
  readonly isRemembered: boolean;
  /** Whether the texts of the answer are JSON themselves, since the caller asked for that. */
  readonly answersAreJson: boolean;
}

type Direction = 'input' | 'output';

/** A pseudonym as it is given. */
const GIVEN = /<([A-Z][A-Z_]*_\d+)>/g;

/** A text that nothing is to be done with. */
const UNCHANGED: AnswerText = { write: (piece) => piece, end: () => '', held: '' };

/** Applies the policies of a tenant to the texts of one call. What cannot be evaluated does not pass. */
export class CallSanitizer implements TextTransform {
  private readonly budget: ScanBudget;
  private readonly added = new AddedCharacters();

  constructor(private readonly parts: CallSanitizerParts) {
    this.budget = new ScanBudget(MAX_MS, parts.signal, parts.policy.pace);
  }

  /** @throws ContentBlocked, Error where the signal is aborted */
  transformPrompt(text: string, format: TextFormat, edits?: TextEdits): string | Promise<string> {
    const { input } = this.parts.policy;
    if (this.mustReserve) return this.reserveNumbers().then(() => this.transformPrompt(text, format, edits));
    if (!input) return text;
    const replaced = new ReplacedText(format, this.replaceInPrompt(format, input), passOf(edits));
    if (text.length > this.budget.sliceCharacters || this.budget.isTurnOver) {
      return this.transformLongPrompt(text, input, replaced);
    }
    const change = (): string => {
      const scan = input.matcher.scan();
      return replaced.write(scan.write(text)) + replaced.write(scan.end()) + replaced.end();
    };
    return this.decided('input', () => this.budget.take(text.length, change));
  }

  beginAnswer(format: TextFormat, isRepeat = false, edits?: TextEdits): AnswerText {
    const answer = this.changeAnswer(format, isRepeat, edits);
    if (!this.readsAnswers) return answer;
    const read = this.parts.pseudonyms.reserveInAnswer();
    return {
      write: (piece) => {
        read(piece);
        return answer.write(piece);
      },
      end: () => answer.end(),
      get held() {
        return answer.held;
      },
    };
  }

  placeholdersIn(text: string): readonly string[] {
    return text.match(GIVEN) ?? [];
  }

  restore(text: string, isGiven: (placeholder: string) => boolean): string {
    const { restorable } = this.parts.pseudonyms;
    return text.replaceAll(
      GIVEN,
      (written, name: string) => (isGiven(written) ? restorable.get(name) : undefined) ?? written,
    );
  }

  private changeAnswer(format: TextFormat, isRepeat: boolean, edits: TextEdits | undefined): AnswerText {
    const { pseudonyms, policy, answersAreJson } = this.parts;
    const written = answersAreJson ? 'json' : format;
    const scanned = policy.output && this.scanAnswer(policy.output, written, isRepeat, edits);
    if (pseudonyms.isEmpty || edits) return scanned ?? UNCHANGED;
    const restorer = new PseudonymRestorer(pseudonyms.restorable, written);
    if (!scanned) return restorer;
    return {
      write: (piece) => restorer.write(scanned.write(piece)),
      end: () => restorer.write(scanned.end()) + restorer.end(),
      // What the rules have changed is not held as it was written.
      get held() {
        return restorer.held === '' ? scanned.held : undefined;
      },
    };
  }

  /** @throws ContentBlocked */
  checkUnreadable(direction: Direction): void {
    if (!this.parts.policy[direction]?.blocksUnreadable) return;
    this.parts.metrics.countUnreadable(direction);
    throw new ContentBlocked(UNREADABLE);
  }

  endPrompt(): boolean {
    const { policy, pseudonyms } = this.parts;
    return policy.output !== undefined || !pseudonyms.isEmpty || this.readsAnswers;
  }

  /** Whether a model may write numbers that later calls must not give. */
  private get readsAnswers(): boolean {
    return this.parts.isRemembered && this.parts.givesNumbers;
  }

  private get mustReserve(): boolean {
    return this.parts.givesNumbers && !this.parts.pseudonyms.isReserved;
  }

  /** Keeps the numbers free that the request has of itself, before the first is given. Others have their turn meanwhile. */
  private async reserveNumbers(): Promise<void> {
    const { pseudonyms } = this.parts;
    while (!pseudonyms.isReserved) {
      this.decided('input', () => this.budget.take(0, () => pseudonyms.reserveNext()));
      await this.budget.takeTurn();
    }
  }

  private scanAnswer(
    output: EffectiveDirection,
    format: TextFormat,
    isRepeat: boolean,
    edits: TextEdits | undefined,
  ): AnswerText {
    const { budget } = this;
    const scan = this.decided('output', () => budget.take(0, () => output.matcher.scan()));
    const replaced = new ReplacedText(format, this.replaceInAnswer(output, format, isRepeat), passOf(edits));
    let held = '';
    const write = (piece: string): string => {
      const endsAt = budget.spentMs + MAX_PIECE_MS;
      let changed = '';
      for (let start = 0; start < piece.length;) {
        if (budget.spentMs > endsAt) throw new ScanTimeout();
        const part = piece.slice(start, start + budget.sliceCharacters);
        changed += budget.take(part.length, () => {
          const scanned = scan.write(part);
          held = (held + part).slice(scanned.text.length);
          return replaced.write(scanned);
        });
        start += part.length;
      }
      return changed;
    };
    return {
      get held() {
        return replaced.held === undefined ? undefined : replaced.held + held;
      },
      write: (piece) => this.decided('output', () => write(piece)),
      end: () => {
        const rest = this.decided('output', () => budget.take(0, () => replaced.write(scan.end()) + replaced.end()));
        held = '';
        return rest;
      },
    };
  }

  /** Others have their turn between its slices. */
  private async transformLongPrompt(text: string, input: EffectiveDirection, replaced: ReplacedText): Promise<string> {
    const spentBefore = this.budget.spentMs;
    let changed = '';
    try {
      for await (const scanned of this.budget.scanWhole(text, () => input.matcher.scan())) {
        changed += this.budget.take(0, () => replaced.write(scanned));
      }
    } catch (error) {
      throw toRefusal(error);
    } finally {
      this.addTime('input', spentBefore);
    }
    return changed + replaced.end();
  }

  /** Takes a step, and counts its time. @throws ContentBlocked also where nothing can be decided */
  private decided<T>(direction: Direction, step: () => T): T {
    const spentBefore = this.budget.spentMs;
    try {
      return step();
    } catch (error) {
      throw toRefusal(error);
    } finally {
      this.addTime(direction, spentBefore);
    }
  }

  /** Counts what the budget has spent since. */
  private addTime(direction: Direction, spentBefore: number): void {
    this.parts.metrics.addTime(direction, this.budget.spentMs - spentBefore);
  }

  private replaceInPrompt(format: TextFormat, direction: EffectiveDirection): Replace {
    const { pseudonyms } = this.parts;
    return (found, match) => {
      const { action, kind } = this.decide('input', direction, match, false);
      const replacement = action === 'mask' ? maskOf(kind) : pseudonyms.replaceInPrompt(kind, unescaped(found, format));
      this.added.add(found, replacement);
      return replacement;
    };
  }

  private replaceInAnswer(direction: EffectiveDirection, format: TextFormat, isRepeat: boolean): Replace {
    const { pseudonyms } = this.parts;
    return (found, match) => {
      const { action, kind } = this.decide('output', direction, match, isRepeat);
      if (action === 'mask') return maskOf(kind);
      // What the caller has sent stays as the model has written it, with its escapes.
      return pseudonyms.replaceInAnswer(kind, unescaped(found, format)) ?? found;
    };
  }

  /** What is done with a match. @param isRepeat whether it was counted already @throws ContentBlocked */
  private decide(direction: Direction, { rules }: EffectiveDirection, match: TextMatch, isRepeat: boolean) {
    const { action, kind } = decidingRule(match.rules.flatMap((at) => rules[at] ?? []));
    // What is blocked was not told before.
    if (!isRepeat || action === 'block') this.parts.metrics.countMatch(kind, action, direction);
    if (action !== 'block') return { action, kind };
    throw new ContentBlocked(`A sanitizer policy does not let this content pass: it has data of the kind ${kind}.`);
  }
}

/** Another pass over a text. */
function passOf(edits: TextEdits | undefined): TextEdit[] | undefined {
  if (!edits) return undefined;
  const pass: TextEdit[] = [];
  edits.push(pass);
  return pass;
}

/** A text that was found in JSON, as it is without the escapes of JSON. */
function unescaped(found: string, format: TextFormat): string {
  if (format === 'text' || !found.includes('\\')) return found;
  try {
    return JSON.parse(`"${found}"`) as string;
  } catch {
    return found;
  }
}
