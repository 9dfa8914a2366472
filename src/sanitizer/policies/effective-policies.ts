import type { MatchKind } from '../matching/match.types.js';
import { TextMatcher } from '../matching/text-matcher.js';
import { SANITIZER_ACTIONS } from '../replacement.js';
import type { SanitizerAction } from '../replacement.js';
import { ScanPace } from '../scan-pace.js';
import type { SanitizerPolicy } from './sanitizer-policy.entity.js';
import { SanitizerDirection, UnreadableParts } from './sanitizer-policy.types.js';
import type { SanitizerRule } from './sanitizer-policy.types.js';

/** A rule that is in force, as far as it matters once it has matched. */
export interface EffectiveRule {
  readonly kind: MatchKind;
  readonly action: SanitizerAction;
}

/** What is in force for the texts of one direction. */
export interface EffectiveDirection {
  /** Its matches name rules by their places in `rules`. */
  readonly matcher: TextMatcher;
  /** The rules of the policies in the order of `byPrecedence`. */
  readonly rules: readonly EffectiveRule[];
  /** Whether a part that cannot be read (an image, an audio, token numbers) blocks the call. */
  readonly blocksUnreadable: boolean;
}

/** What the enabled policies of a tenant, and those for everybody, say together. */
export interface EffectivePolicy {
  /** For what callers send to models; undefined where no rule applies to it. */
  readonly input: EffectiveDirection | undefined;
  /** For what models answer; undefined where no rule applies to it. */
  readonly output: EffectiveDirection | undefined;
  /** Of all texts that its rules look through. */
  readonly pace: ScanPace;
}

/**
 * Sorts policies by precedence: those for everybody come before those of a tenant, which cannot weaken them; among those
 * of one owner the higher priority comes first, then the older, then the smaller id.
 */
export function byPrecedence(one: SanitizerPolicy, other: SanitizerPolicy): number {
  return (
    Number(one.tenantId !== null) - Number(other.tenantId !== null) ||
    other.priority - one.priority ||
    Number(one.createdAt) - Number(other.createdAt) ||
    (one.id < other.id ? -1 : Number(one.id > other.id))
  );
}

/**
 * Compiles policies into one. Directions with the same rules share what is compiled of them, which may be large.
 * @param policies enabled ones, in their order
 * @throws InvalidRule where a rule cannot be looked for any more; its position says nothing then
 * @throws Error where a policy is none
 */
export function compilePolicies(policies: readonly SanitizerPolicy[]): EffectivePolicy {
  policies.forEach(checkRow);
  const [input, output] = [rulesOf(policies, 'input'), rulesOf(policies, 'output')];
  const isSame = input.length === output.length && input.every(({ rule }, at) => rule === output[at]?.rule);
  const compiled = compileDirection(input);
  return { input: compiled, output: isSame ? compiled : compileDirection(output), pace: new ScanPace() };
}

/** Refuses rows that were changed in the database: a rule that applies to nothing would let calls pass. @throws Error */
function checkRow({ rules, unreadable }: SanitizerPolicy): void {
  const isKnown = ({ action, appliesTo }: SanitizerRule): boolean =>
    SANITIZER_ACTIONS.includes(action) && Object.hasOwn(SanitizerDirection, appliesTo);
  const isValid = Object.hasOwn(UnreadableParts, unreadable) && rules.length > 0 && rules.every(isKnown);
  if (!isValid) throw new Error('The policy is not valid.');
}

/** A rule with the policy that it stands in. */
interface OwnedRule {
  readonly rule: SanitizerRule;
  readonly policy: SanitizerPolicy;
}

function rulesOf(policies: readonly SanitizerPolicy[], direction: 'input' | 'output'): OwnedRule[] {
  const all = policies.flatMap((policy) => policy.rules.map((rule) => ({ rule, policy })));
  return all.filter(({ rule: { appliesTo } }) => appliesTo === direction || appliesTo === 'both');
}

function compileDirection(owned: readonly OwnedRule[]): EffectiveDirection | undefined {
  if (owned.length === 0) return undefined;
  return {
    matcher: new TextMatcher(owned.map(({ rule }) => rule)),
    rules: owned.map(({ rule: { kind, action } }) => ({ kind, action })),
    blocksUnreadable: owned.some(({ policy }) => policy.unreadable === 'block'),
  };
}
