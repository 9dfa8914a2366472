import { z } from 'zod';
import { BadRequest, Conflict } from '../../errors.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { mergeSettings } from '../../platform/json/merge-settings.js';
import { checkedName } from '../../platform/text/name.js';
import { InvalidRule } from '../matching/invalid-rule.js';
import { MATCH_KINDS } from '../matching/match.types.js';
import type { MatchRule } from '../matching/match.types.js';
import { TextMatcher } from '../matching/text-matcher.js';
import { SANITIZER_ACTIONS } from '../replacement.js';
import type { SanitizerPolicyInput, SanitizerPolicyPatch } from './sanitizer-policy.inputs.js';
import { SanitizerDirection, UnreadableParts } from './sanitizer-policy.types.js';

const MAX_NAME_CHARACTERS = 100;
const MAX_RULES = 200;
const MAX_PATTERNS = 100;
/** Instructions that the patterns of a policy make by repeating, beyond their characters. */
const MAX_REPEATED_INSTRUCTIONS = 10_000;
const MAX_WORDS = 1_000;
const MAX_WORDS_CHARACTERS = 50_000;
/** Of all policies of one owner: what they look for is compiled into one, before a call can go on. */
const MAX_OWNED_PATTERNS = 200;
const MAX_OWNED_WORDS = 5_000;
const MAX_OWNED_WORDS_CHARACTERS = 100_000;
const MAX_PRIORITY = 1_000;

// The database keeps neither of them in JSON.
const isStorable = (text: string): boolean => !/\p{Cc}|\p{Cs}/u.test(text);
const storable = z.string().refine(isStorable, 'must not contain control characters');

/** What a rule may have is checked by the matcher that is made of it; here is what nobody else knows. */
const rule = z.strictObject({
  kind: z.enum(MATCH_KINDS),
  action: z.enum(SANITIZER_ACTIONS),
  appliesTo: z.enum(SanitizerDirection),
  pattern: storable.optional(),
  // As many as all rules may have together.
  words: z.array(storable).max(MAX_WORDS).optional(),
  region: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters (ISO 3166-1)')
    .optional(),
});

const rules = z
  .array(rule)
  .min(1)
  .max(MAX_RULES)
  .refine(
    (list) => list.filter(({ pattern }) => pattern !== undefined).length <= MAX_PATTERNS,
    `may have ${MAX_PATTERNS} patterns together at most`,
  )
  .refine((list) => wordsOf(list).length <= MAX_WORDS, `may have ${MAX_WORDS} words together at most`)
  .refine(
    (list) => charactersOf(wordsOf(list)) <= MAX_WORDS_CHARACTERS,
    `may have words of ${MAX_WORDS_CHARACTERS} characters together at most`,
  );

const settings = z.object({
  name: z.string(),
  rules,
  unreadable: z.enum(UnreadableParts),
  enabled: z.boolean(),
  priority: z.number().int().min(-MAX_PRIORITY).max(MAX_PRIORITY),
});
const patch = settings.partial();

/** What an administrator decides about a policy. */
export type PolicySettings = z.infer<typeof settings>;

const DEFAULTS = { unreadable: 'block', enabled: true, priority: 0 } as const;

/**
 * Checks a policy that is to be made.
 * @throws BadRequest that names the field
 */
export async function checkPolicy(input: SanitizerPolicyInput): Promise<PolicySettings> {
  return { ...DEFAULTS, ...(await checkPatch(input)) } as PolicySettings;
}

/**
 * Checks what is to be changed about a policy; what is left out is not there, and nothing may be null.
 * @throws BadRequest that names the field
 */
export async function checkPatch(input: SanitizerPolicyInput | SanitizerPolicyPatch): Promise<Partial<PolicySettings>> {
  const checked = check(patch, mergeSettings({}, input, new Set()));
  if (checked.rules !== undefined) await compileRules(checked.rules, new CooperativeYield());
  return { ...checked, ...(checked.name !== undefined && { name: checkedName(checked.name, MAX_NAME_CHARACTERS) }) };
}

/**
 * Checks and compiles rules that are in no policy.
 * @throws BadRequest that names the field; the reason of the signal
 */
export async function checkRules(input: Pick<SanitizerPolicyInput, 'rules'>, signal: AbortSignal) {
  const checked = check(settings.pick({ rules: true }), mergeSettings({}, input, new Set()));
  return { rules: checked.rules, matcher: await compileRules(checked.rules, new CooperativeYield(signal)) };
}

async function compileRules(list: PolicySettings['rules'], cooperation: CooperativeYield): Promise<TextMatcher> {
  try {
    const matcher = await cooperation.finish(TextMatcher.steps(list));
    if (matcher.repeatedInstructions <= MAX_REPEATED_INSTRUCTIONS) return matcher;
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error;
    const item = error.item === undefined ? [] : [error.item];
    throw invalid(z.core.toDotPath(['rules', error.rule, error.field, ...item]), error.message);
  }
  throw invalid('rules', 'their patterns repeat too much together: repeat less in them, or have fewer of them');
}

/**
 * Checks what all policies of one owner have together.
 * @throws Conflict where that is too much
 */
export function checkOwned(policies: readonly { readonly rules: readonly Omit<MatchRule, 'kind'>[] }[]): void {
  const owned = policies.flatMap((policy) => policy.rules);
  const patterns = owned.filter(({ pattern: given }) => given != null).length;
  const words = wordsOf(owned);
  const isCounted = patterns <= MAX_OWNED_PATTERNS && words.length <= MAX_OWNED_WORDS;
  if (isCounted && charactersOf(words) <= MAX_OWNED_WORDS_CHARACTERS) return;
  throw new Conflict(
    'conflict',
    `All sanitizer policies together may have ${MAX_OWNED_PATTERNS} patterns, and ${MAX_OWNED_WORDS} words of ${MAX_OWNED_WORDS_CHARACTERS} characters together at most.`,
  );
}

function wordsOf(list: readonly Pick<MatchRule, 'words'>[]): string[] {
  return list.flatMap(({ words }) => words ?? []);
}

function charactersOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}

function check<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: 'is not valid' }] = parsed.error.issues;
  throw invalid(z.core.toDotPath(path), message);
}

function invalid(field: string, message: string): BadRequest {
  return new BadRequest(`${field}: ${message}`, field);
}
