import { readWords } from '../words.js';
import type { Concepts, ProvenLanguage } from './concepts.js';
import type { Operand } from './operand.js';
import { SUPERLATIVE } from './reservations.js';

interface Modifier {
  /** The words of a group. */
  readonly said: RegExp;
  /** One of them with what it stands before. */
  readonly before: RegExp;
}

/** Words behind a modifier that it may belong to. */
const MOST_MODIFIED = 2;
/** What makes something else of what it stands before, and what else says so: a line is a group. */
const MODIFIERS: Readonly<Record<ProvenLanguage, readonly string[]>> = {
  en: [
    'vice|deputy|assistant|associate|under-?secretary',
    'acting|interim|caretaker|provisional|temporary',
    'honorary',
    'half|step|foster|adoptive',
    String.raw`fake|false|forged|counterfeit|bogus|sham|mock|pseudo|imitation|phon(?:y|ey)`,
    'artificial|prosthetic|synthetic|virtual|simulated|dummy',
    'unofficial',
    String.raw`alleged|suspected|supposed|purported|presumed|putative|accused|reputed|so-called|self-(?:styled|proclaimed|appointed)`,
    'former|ex|previous|onetime|one-time|erstwhile|once|defunct|disused',
    String.raw`planned|proposed|prospective|would-be|aspiring|future|potential|draft|intended|hypothetical|plan\p{L}*|propos\p{L}*|will|would`,
    String.raw`attempted|failed|aborted|unsuccessful|attempt\p{L}*`,
    'trainee|apprentice|student',
    'fictional|fictitious|imaginary|mythical|fictive',
  ],
  de: [
    String.raw`stellvertretend\p{L}*|vize\p{L}*|stellvertreter\p{L}*`,
    String.raw`kommissarisch\p{L}*|vorläufig\p{L}*|interims\p{L}*|geschäftsführend\p{L}*`,
    String.raw`falsch\p{L}*|gefälscht\p{L}*|unecht\p{L}*|nachgemacht\p{L}*`,
    String.raw`künstlich\p{L}*|virtuell\p{L}*|simuliert\p{L}*`,
    String.raw`inoffiziell\p{L}*`,
    String.raw`mutmaßlich\p{L}*|vermeintlich\p{L}*|angeblich\p{L}*|sogenannt\p{L}*|selbsternannt\p{L}*|vermutet\p{L}*`,
    String.raw`ehemalig\p{L}*|frühere[nmrs]?|einstig\p{L}*|vormalig\p{L}*|ehemals|früher|einst`,
    String.raw`geplant\p{L}*|vorgeschlagen\p{L}*|künftig\p{L}*|zukünftig\p{L}*|designiert\p{L}*|potenziell\p{L}*|potentiell\p{L}*|plan\p{L}*|soll\p{L}*`,
    String.raw`versucht\p{L}*|gescheitert\p{L}*|misslungen\p{L}*|versuch\p{L}*`,
    String.raw`fiktiv\p{L}*|erfunden\p{L}*|imaginär\p{L}*`,
  ],
};
const modifiers: Readonly<Record<ProvenLanguage, readonly Modifier[]>> = {
  en: MODIFIERS.en.map(modifier),
  de: MODIFIERS.de.map(modifier),
};
/** The same as a part of a German word. */
const PREFIXED =
  /(?<!\p{L})(?<prefix>vize|stief|schwieger|ehren|schein|pseudo|interims|möchtegern|ex-)-?(?<noun>\p{L}{4,})/gu;
/** Words behind a superlative up to what it is said of, in a sentence and in its source. */
const NEXT_WORDS = /^(?: [\p{L}'-]+){1,3}/u;
const WORDS_BEHIND = /^(?:[\p{L}'-]+ ?){1,6}/u;
const BOUND_BEHIND: Readonly<Record<ProvenLanguage, RegExp>> = {
  en: /^(?:(?!(?:and|or|but|is|are|was|were|has|have|had|that|which|who)(?!\p{L}))[\p{L}'-]+ ){0,5}?(?:in|of|on|within|among|amongst|across|at|between|for) (?<bound>(?:(?:the|a|an|its|their|his|her|all|this) )?[\p{L}\d'-]+(?: (?!(?:and|but|is|was|are|were|in|on|at|by|to|with)(?!\p{L}))[\p{L}\d'-]+){0,3})/u,
  de: /^(?:(?!(?:und|oder|aber|ist|sind|war|waren|wird|wurde|hat|hatte)(?!\p{L}))[\p{L}'-]+ ){0,5}?(?:in|im|am|an|auf|von|vom|der|des|unter|zwischen|für|bei) (?<bound>(?:(?:der|dem|den|die|das|des|seiner|ihrer|ganz|aller) )?[\p{L}\d'-]+(?: (?!(?:und|aber|ist|war|sind|waren|im|in|am|auf|mit|zu)(?!\p{L}))[\p{L}\d'-]+){0,3})/u,
};
const SUPERLATIVES: Readonly<Record<ProvenLanguage, RegExp>> = { en: superlatives('en'), de: superlatives('de') };
const OWNER = /(?<owner>[\p{L}-]+)['’]s? (?:[\p{L}\d-]+ ){0,2}$/u;
/** An enumeration of three or more. */
const LIST = /(?<!\p{L})\p{L}+, (?:\p{L}+, ){0,8}\p{L}+,? (?:and|or|und|oder|sowie) \p{L}+(?!\p{L})/gu;

/** Says whether a sentence names as such what its source names with a word that makes something else of it: `deputy`, `planned`. */
export function leavesModifierOut(claim: Operand, source: Operand, concepts: Concepts): boolean {
  const { language } = concepts;
  const isOther = modifiers[language].some(({ said, before }) => {
    if (said.test(claim.lower)) return false;
    return [...source.lower.matchAll(before)].some(({ groups: { modified = '' } = {} }) =>
      isSaidOf(claim, modified, concepts),
    );
  });
  if (isOther || language === 'en') return isOther;
  return [...source.lower.matchAll(PREFIXED)].some(({ groups: { prefix = '', noun = '' } = {} }) => {
    return !claim.lower.includes(prefix) && word(noun).test(claim.lower);
  });
}

/** Says whether a sentence widens what something is first of: `the oldest mosque` for `the oldest surviving mosque in Spain`. */
export function leavesRankBoundOut(claim: Operand, source: Operand, concepts: Concepts): boolean {
  const { language } = concepts;
  const claimed = [...claim.lower.matchAll(SUPERLATIVES[language])];
  if (claimed.length === 0) return false;
  const has = (one: string): boolean => claim.has(concepts.meaningOf(one));
  return [...source.lower.matchAll(SUPERLATIVES[language])].some(({ index, 0: written }) => {
    const own = claimed.find(([other]) => rankOf(other) === rankOf(written));
    if (!own) return false;
    const behind = source.lower.slice(index + written.length).trimStart();
    const next =
      NEXT_WORDS.exec(claim.lower.slice(own.index + own[0].length))?.[0]
        .trim()
        .split(' ') ?? [];
    if (next.some((one) => isNarrowed(behind, one, has, concepts))) return true;
    const owner = OWNER.exec(source.lower.slice(Math.max(0, index - 60), index))?.groups?.['owner'];
    if (owner !== undefined && !claim.lower.includes(owner)) return true;
    const bound = BOUND_BEHIND[language].exec(behind)?.groups?.['bound'];
    if (bound === undefined) return false;
    const words = contentOf(bound, concepts);
    const numbers = bound.match(/\d+/g) ?? [];
    const isNamed = words.some(has) || numbers.some((number) => claim.lower.includes(number));
    return words.length + numbers.length > 0 && !isNamed;
  });
}

/** Whether a word of an enumeration is none of the source's. */
export function hasStrangeItem(claim: Operand, missing: readonly { readonly lower: string }[]): boolean {
  if (missing.length === 0) return false;
  const items = new Set([...claim.lower.matchAll(LIST)].flatMap(([list]) => list.match(/\p{L}+/gu) ?? []));
  return missing.some(({ lower }) => items.has(lower));
}

/** Whether words stand between a superlative and what the sentence says it of, which it has not. */
function isNarrowed(behind: string, next: string, has: (one: string) => boolean, concepts: Concepts): boolean {
  if (concepts.words.isStopWord(next)) return false;
  const words = (WORDS_BEHIND.exec(behind)?.[0] ?? '').trim().split(' ');
  const noun = concepts.meaningOf(next);
  const at = words.findIndex((one) => concepts.isSame(noun, concepts.meaningOf(one)));
  return at > 0 && words.slice(0, at).some((one) => !concepts.words.isStopWord(one) && !has(one));
}

/** A superlative without its ending. */
function rankOf(superlative: string): string {
  return superlative.replace(/e[nmrs]?$/u, '');
}

function isSaidOf(claim: Operand, modified: string, concepts: Concepts): boolean {
  for (const one of modified.split(' ')) {
    if (concepts.words.isStopWord(one)) return false;
    if (claim.has(concepts.meaningOf(one))) return true;
  }
  return false;
}

function contentOf(text: string, { words, language }: Concepts): string[] {
  return readWords(text, language)
    .map(({ lower }) => lower)
    .filter((lower) => !words.isStopWord(lower) && !/^\p{N}/u.test(lower));
}

function superlatives(language: ProvenLanguage): RegExp {
  return new RegExp(String.raw`(?<![\p{L}-])${SUPERLATIVE[language]}(?!\p{L})`, 'gu');
}

function modifier(group: string): Modifier {
  return {
    said: word(group),
    before: new RegExp(
      String.raw`(?<!\p{L})(?:${group})[- ](?<modified>[\p{L}'-]+(?: [\p{L}'-]+){0,${MOST_MODIFIED - 1}})`,
      'gu',
    ),
  };
}

function word(source: string): RegExp {
  return new RegExp(String.raw`(?<!\p{L})(?:${source})(?!\p{L})`, 'u');
}
