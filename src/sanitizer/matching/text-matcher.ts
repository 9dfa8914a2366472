import type { CountryCode } from 'libphonenumber-js/max';
import { runSteps } from '../../platform/async/run-steps.js';
import { InvalidRule } from './invalid-rule.js';
import { BuiltinDetector } from './kinds/builtin-detector.js';
import type { RegionRules } from './kinds/builtin-detector.js';
import { toPhoneRegion } from './kinds/phone-number.js';
import { MATCH_KINDS } from './match.types.js';
import type { MatchKind, MatchRule } from './match.types.js';
import { MatchingScan } from './matching-scan.js';
import type { Detectors } from './matching-scan.js';
import { normalizePattern } from './patterns/normalize-pattern.js';
import { PatternProgram } from './patterns/pattern-program.js';
import { PatternSet } from './patterns/pattern-set.js';
import type { PatternRules } from './patterns/pattern-set.js';
import { toSearchedWord, WordSet } from './words/word-set.js';
import type { RuleWord } from './words/word-set.js';

const LONGEST_PATTERN = 1_000;
const MOST_WORDS = 1_000;
const LONGEST_WORD = 200;

/** What the rules of a set of policies look for, compiled once for any number of texts. */
export class TextMatcher {
  /** The kind of each rule, in the order of the rules. */
  readonly kinds: readonly MatchKind[];
  /** Instructions that the programs of its patterns have beyond the characters of the patterns: what they repeat. */
  readonly repeatedInstructions: number;
  private readonly detectors: Detectors;

  /**
   * @param compiled what is looked for by patterns and words
   * @throws InvalidRule where a rule cannot be looked for
   */
  constructor(rules: readonly MatchRule[], compiled: CompiledRules = runSteps(compileRules(rules))) {
    this.kinds = rules.map(({ kind }) => kind);
    this.repeatedInstructions = compiled.repeatedInstructions;
    this.detectors = {
      builtin: new BuiltinDetector(
        {
          email: this.findRules('email'),
          phone: this.findRules('phone'),
          credit_card: this.findRules('credit_card'),
          iban: this.findRules('iban'),
          ip: this.findRules('ip'),
          person_id: this.findRules('person_id'),
        },
        groupByRegion(rules),
      ),
      words: compiled.words,
      patterns: compiled.patterns,
    };
  }

  /** Makes one in short steps. @throws InvalidRule where a rule cannot be looked for */
  static *steps(rules: readonly MatchRule[]): Generator<void, TextMatcher, undefined> {
    return new TextMatcher(rules, yield* compileRules(rules));
  }

  /** Begins to look through a text. */
  scan(): MatchingScan {
    return new MatchingScan(this.detectors);
  }

  private findRules(kind: MatchKind): number[] {
    return this.kinds.flatMap((other, position) => (other === kind ? [position] : []));
  }
}

/** What takes long to make of rules. */
interface CompiledRules extends Pick<Detectors, 'words' | 'patterns'> {
  readonly repeatedInstructions: number;
}

function* compileRules(rules: readonly MatchRule[]): Generator<void, CompiledRules, undefined> {
  rules.forEach((rule, position) => checkFields(rule, position));
  const patterns = yield* compilePatterns(rules);
  return {
    repeatedInstructions: patterns.reduce((sum, { program }) => sum + program.repeated, 0),
    words: yield* WordSet.steps(rules.flatMap(readWords)),
    patterns: yield* PatternSet.steps(patterns),
  };
}

function checkFields({ kind, pattern, words, region }: MatchRule, position: number): void {
  if (!MATCH_KINDS.includes(kind)) throw new InvalidRule(position, 'kind', `Choose one of ${MATCH_KINDS.join(', ')}.`);
  const others = [
    ['pattern', pattern, 'regex'],
    ['words', words, 'words'],
    ['region', region, 'phone'],
  ] as const;
  for (const [field, value, owner] of others) {
    const isGiven = value !== undefined && value !== null;
    if (isGiven && kind !== owner) throw new InvalidRule(position, field, `Leave ${field} out: only ${owner} has it.`);
  }
}

function groupByRegion(rules: readonly MatchRule[]): RegionRules[] {
  const byRegion = new Map<CountryCode, number[]>();
  rules.forEach(({ region }, position) => {
    if (region === undefined || region === null) return;
    const country = toPhoneRegion(region);
    if (!country)
      throw new InvalidRule(position, 'region', 'Give the two letters of a country (ISO 3166-1), such as DE.');
    byRegion.set(country, [...(byRegion.get(country) ?? []), position]);
  });
  return [...byRegion].map(([region, positions]) => ({ region, rules: positions }));
}

function readWords({ kind, words }: MatchRule, rule: number): RuleWord[] {
  if (kind !== 'words') return [];
  if (!words || words.length === 0 || words.length > MOST_WORDS) {
    throw new InvalidRule(rule, 'words', `Give 1 to ${MOST_WORDS} words.`);
  }
  return words.map((word, item) => {
    if (word.length > LONGEST_WORD || toSearchedWord(word) === '') {
      throw new InvalidRule(rule, 'words', `Give a word of 1 to ${LONGEST_WORD} characters that can be seen.`, item);
    }
    return { word, rule };
  });
}

function* compilePatterns(rules: readonly MatchRule[]): Generator<void, PatternRules[], undefined> {
  const byPattern = new Map<string, { program: PatternProgram; rules: number[] }>();
  for (const [position, { kind, pattern }] of rules.entries()) {
    if (kind !== 'regex') continue;
    yield;
    if (!pattern || pattern.length > LONGEST_PATTERN) {
      throw new InvalidRule(position, 'pattern', `Give a pattern of 1 to ${LONGEST_PATTERN} characters.`);
    }
    const known = byPattern.get(pattern);
    if (known) known.rules.push(position);
    else byPattern.set(pattern, { program: compilePattern(pattern, position), rules: [position] });
  }
  return [...byPattern.values()];
}

function compilePattern(pattern: string, position: number): PatternProgram {
  try {
    return new PatternProgram(normalizePattern(pattern));
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    throw new InvalidRule(position, 'pattern', `Write the pattern in RE2's syntax: ${reason}`);
  }
}
