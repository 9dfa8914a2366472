import { objectsOf } from '../../../platform/json/json-object.js';
import { excessOf, MODELS_JSON } from '../../streaming/json-limits.js';
import { LanguagePairs } from '../../translation/language-pairs.js';

/** The most languages that a server may tell. */
const LANGUAGES = 500;
/** Targets of all languages together, where those with the same targets count once: servers have one set of them, or few. */
const TARGETS = 10_000;
/** Codes are the server's own: `en`, `zt`, `pt-BR`, `zh-Hans`. */
const CODE = /^[A-Za-z0-9]{2,8}([-_][A-Za-z0-9]{1,8}){0,3}$/;

/** What a server tells of its languages. */
interface ListedLanguages {
  readonly pairs: LanguagePairs;
  /** Whether it tells more than is kept. */
  readonly isCut: boolean;
}

/**
 * The pairs of the answer of `GET /languages`: `[{code, name, targets}]`. Older servers tell no targets: then it is any
 * language into any other.
 * @throws Error where it is no list of languages
 */
export function readLanguages(body: Buffer): ListedLanguages {
  const excess = excessOf(body, MODELS_JSON);
  if (excess) throw excess;
  const listed: unknown = JSON.parse(body.toString('utf8'));
  const told = objectsOf(listed).filter(({ code }) => isCode(code));
  if (!Array.isArray(listed) || (listed.length > 0 && told.length === 0)) {
    throw new Error('/languages answered no list of languages');
  }
  const languages = told.slice(0, LANGUAGES);
  const all = new Set(languages.map(({ code }) => code as string));
  const rows = new Map<string, ReadonlySet<string>>();
  for (const { code, targets } of languages) {
    rows.set(code as string, Array.isArray(targets) ? new Set(targets.filter(isCode)) : all);
  }
  let isCut = told.length > LANGUAGES;
  const pairs = LanguagePairs.from(rows, TARGETS, () => (isCut = true));
  return { pairs, isCut };
}

function isCode(value: unknown): value is string {
  return typeof value === 'string' && CODE.test(value);
}
