import { objectsOf } from '../../../platform/json/json-object.js';
import { excessOf, MODELS_JSON } from '../../streaming/json-limits.js';
import type { LanguagePair } from '../../translation/engine.types.js';

/** The most languages that a server may tell, and pairs of them. */
const LANGUAGES = 500;
const PAIRS = 40_000;
/** Codes are the server's own: `en`, `zt`, `pt-BR`, `zh-Hans`. */
const CODE = /^[A-Za-z0-9]{2,8}([-_][A-Za-z0-9]{1,8}){0,3}$/;

/**
 * The pairs of the answer of `GET /languages`: `[{code, name, targets}]`. Older servers tell no targets: then it is any
 * language into any other.
 * @throws Error where it is no list of languages
 */
export function readLanguagePairs(body: Buffer): LanguagePair[] {
  const excess = excessOf(body, MODELS_JSON);
  if (excess) throw excess;
  const listed: unknown = JSON.parse(body.toString('utf8'));
  const languages = objectsOf(listed)
    .filter(({ code }) => isCode(code))
    .slice(0, LANGUAGES);
  if (!Array.isArray(listed) || (listed.length > 0 && languages.length === 0)) {
    throw new Error('/languages answered no list of languages');
  }
  const all = languages.map(({ code }) => code as string);
  const pairs: LanguagePair[] = [];
  for (const { code, targets } of languages) {
    const source = code as string;
    const into = Array.isArray(targets) ? new Set(targets.filter(isCode)) : all;
    for (const target of into) if (target !== source && pairs.length < PAIRS) pairs.push({ source, target });
  }
  return pairs;
}

function isCode(value: unknown): value is string {
  return typeof value === 'string' && CODE.test(value);
}
