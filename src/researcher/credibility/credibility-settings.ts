import { z } from 'zod';
import { BadRequest } from '../../errors.js';
import { mergeSettings } from '../../platform/json/merge-settings.js';
import { checkedName } from '../../platform/text/name.js';
import type { CredibilityConfigInput, CredibilityConfigPatch } from './credibility-config.inputs.js';
import { toDomainPattern } from './domain-pattern.js';

const MAX_NAME = 100;
const MAX_RULES = 500;

const score = z.number().min(0).max(1);

const pattern = z.string().transform((text, context) => {
  const checked = toDomainPattern(text);
  if (checked !== undefined) return checked;
  context.addIssue('must be a host name of 1 to 253 characters, in which up to four * stand for any characters');
  return z.NEVER;
});

const rules = z
  .array(z.strictObject({ pattern, score }))
  .max(MAX_RULES)
  .superRefine((list, context) => {
    const seen = new Set<string>();
    for (const [index, rule] of list.entries()) {
      if (seen.has(rule.pattern)) {
        context.addIssue({ code: 'custom', path: [index, 'pattern'], message: 'stands in another rule already' });
      }
      seen.add(rule.pattern);
    }
  });

const patch = z
  .object({
    name: z.string(),
    rules,
    default_score: score,
    min_score: score,
    is_default: z.boolean(),
  })
  .partial();

/** What an administrator says of a configuration; what is undefined was not said. */
export interface CredibilitySettings {
  readonly name?: string;
  readonly rules?: z.output<typeof rules>;
  readonly defaultScore?: number;
  readonly minScore?: number;
  readonly isDefault?: boolean;
}

/**
 * Checks what is said of a configuration; patterns are those of `toDomainPattern` then, each of them once.
 * @throws BadRequest that names the field by its REST name; nothing may be null
 */
export function checkSettings(input: CredibilityConfigInput | CredibilityConfigPatch): CredibilitySettings {
  const parsed = patch.safeParse(mergeSettings({}, input, new Set()));
  if (!parsed.success) {
    const [{ path, message } = { path: [], message: 'is not valid' }] = parsed.error.issues;
    const field = z.core.toDotPath(path);
    throw new BadRequest(`${field}: ${message}`, field);
  }
  const { name, rules: list, default_score: defaultScore, min_score: minScore, is_default: isDefault } = parsed.data;
  return {
    ...(name !== undefined && { name: checkedName(name, MAX_NAME) }),
    ...(list !== undefined && { rules: list }),
    ...(defaultScore !== undefined && { defaultScore }),
    ...(minScore !== undefined && { minScore }),
    ...(isDefault !== undefined && { isDefault }),
  };
}
