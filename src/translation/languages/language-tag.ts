import { BadRequest } from '../../errors.js';

/** A tag of BCP 47 in its canonical form, and its parts. */
export interface LanguageTag {
  /** Such as `pt-BR` or `zh-Hant-TW`. */
  readonly tag: string;
  /** Its primary subtag, such as `pt`. */
  readonly language: string;
  /** Its script, as ISO 15924 names it, said or likely: `Latn` of `pt`. */
  readonly script: string | undefined;
  /** Its region where that is said. */
  readonly region: string | undefined;
}

const MAX_LENGTH = 64;
const MOST_KNOWN = 1_000;
const known = new Map<string, LanguageTag | undefined>();
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/**
 * Parses a tag of BCP 47, such as `PT-br`.
 * @param param the REST name of the field, for the error
 * @throws BadRequest where it is malformed
 */
export function parseLanguageTag(value: string, param: string): LanguageTag {
  const tag = readLanguageTag(value);
  if (!tag) throw new BadRequest(`${param} must be a language tag of BCP 47, such as \`de\` or \`pt-BR\`.`, param);
  return tag;
}

/** Reads a tag of BCP 47; undefined where it is malformed. */
export function readLanguageTag(value: string): LanguageTag | undefined {
  if (value.length > MAX_LENGTH) return undefined;
  // It is asked of the same few for every text, and takes longer than most of what is done with one.
  if (!known.has(value)) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(value, readTag(value));
  }
  return known.get(value);
}

function readTag(value: string): LanguageTag | undefined {
  try {
    const [tag] = Intl.getCanonicalLocales(value);
    if (tag === undefined) return undefined;
    const locale = new Intl.Locale(tag);
    // Engines differ in what `und` is: a language that nobody says has no likely script either.
    const language = locale.language || 'und';
    const script = language === 'und' ? locale.script : locale.maximize().script;
    return { tag, language, script, region: locale.region };
  } catch {
    return undefined;
  }
}

/** Whether a text of the first language is one of the second already: `pt` is `pt-BR`, and `zh-Hans` is not `zh-Hant`. */
export function isSameLanguage(source: LanguageTag, target: LanguageTag): boolean {
  if (source.language !== target.language || source.script !== target.script) return false;
  return source.region === target.region || source.region === undefined || target.region === undefined;
}

/** The English name of a language for a prompt, such as `Brazilian Portuguese`; undefined where nobody knows the subtag. */
export function toLanguageName(tag: LanguageTag): string | undefined {
  try {
    return names.of(tag.tag) ?? names.of(tag.language);
  } catch {
    // A variant or an extension has no name: that of the language is enough.
    return names.of(tag.language);
  }
}
