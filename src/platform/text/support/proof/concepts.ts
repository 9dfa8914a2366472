import { loadLanguageWords } from '../language-words.js';
import type { LanguageWords } from '../language-words.js';
import { OPPOSITES } from './opposites.js';
import { LIGHT_WORDS, SYNONYMS } from './synonyms.js';

/** A part of a composed word that is shorter may turn its meaning, as `un-` and `ver-` do. */
const LEAST_COMPOSED = 4;
const LEAST_PREFIX = 4;
/** An inflection that the stemmer does not know adds no more. */
const MOST_ADDED = { en: 3, de: 4 } as const;
const TURNING = /^(?:nicht|wieder|gegen|über|unter|hinter|zurück|anti)/;
const SEPARABLE = 'ab|an|auf|aus|bei|ein|fest|her|hin|los|mit|nach|nieder|vor|weg|weiter|zu|zurück|zusammen';
const PARTICIPLE = new RegExp(`^(${SEPARABLE})?(?:ge|zu)(\\p{L}{3,}(?:t|en))$`, 'u');

/** The languages that the rules are for. */
export type ProvenLanguage = 'en' | 'de';

/** What a word means, as far as it can be compared. */
export interface Meaning {
  readonly lower: string;
  readonly stem: string;
  /** The groups of words that say the same, as `+3` and `-3` for the sides of a pair of opposites. */
  readonly groups: readonly string[];
}

/** The words of a language that mean the same or the opposite. */
export class Concepts {
  readonly words: LanguageWords;
  private readonly groups = new Map<string, string[]>();
  private readonly light: ReadonlySet<string>;

  /** Loads the word lists at first use: some milliseconds. */
  constructor(readonly language: ProvenLanguage) {
    this.words = loadLanguageWords(language);
    for (const [index, line] of linesOf(OPPOSITES[language]).entries()) {
      for (const [side, list] of line.split('|').entries()) this.addGroup(list, `${side === 0 ? '+' : '-'}${index}`);
    }
    for (const [index, line] of linesOf(SYNONYMS[language]).entries()) this.addGroup(line, `=${index}`);
    this.light = new Set((LIGHT_WORDS[language] ?? '').split(/\s+/));
  }

  /** What a word in lower case means. */
  meaningOf(lower: string): Meaning {
    const base = this.language === 'de' ? lower.replace(PARTICIPLE, '$1$2') : lower;
    const stem = this.words.stem(base);
    const groups = this.groups.get(lower) ?? this.groups.get(base) ?? this.groups.get(`*${stem}`) ?? [];
    return { lower, stem, groups };
  }

  /** Says whether a word in lower case says nearly nothing of its own. */
  isLight(lower: string): boolean {
    return this.light.has(lower);
  }

  /** Says whether a word in lower case has an opposite, though texts about anything have it. */
  hasOpposite({ groups }: Meaning): boolean {
    return groups.some((group) => !group.startsWith('='));
  }

  /** Says whether two words mean the same: of one group, of one stem, or one composed with the other. */
  isSame(one: Meaning, other: Meaning): boolean {
    if (one.groups.some((group) => other.groups.includes(group))) return true;
    if (this.isOpposite(one, other)) return false;
    if (one.stem === other.stem) return true;
    const [short, long] = one.stem.length < other.stem.length ? [one.stem, other.stem] : [other.stem, one.stem];
    if (long.startsWith(short)) {
      const added = long.length - short.length;
      return short.length >= LEAST_PREFIX && (added <= MOST_ADDED[this.language] || this.isComposed(short, added));
    }
    return long.endsWith(short) && this.isComposed(short, long.length - short.length) && !TURNING.test(long);
  }

  /** Says whether two words say the opposite of each other. */
  isOpposite(one: Meaning, other: Meaning): boolean {
    return this.oppositesOf(one).some((group) => other.groups.includes(group));
  }

  /** The groups of the words that say the opposite of a word. */
  oppositesOf({ groups }: Meaning): string[] {
    return groups.filter((group) => !group.startsWith('=')).map(turned);
  }

  private isComposed(short: string, added: number): boolean {
    return this.language === 'de' && short.length > LEAST_COMPOSED && added >= LEAST_COMPOSED;
  }

  private addGroup(list: string, group: string): void {
    for (const word of list.trim().split(/\s+/)) {
      this.addTo(word, group);
      this.addTo(`*${this.words.stem(word)}`, group);
    }
  }

  private addTo(key: string, group: string): void {
    const known = this.groups.get(key);
    if (!known) this.groups.set(key, [group]);
    else if (!known.includes(group)) known.push(group);
  }
}

const loaded = new Map<ProvenLanguage, Concepts>();

/** The concepts of a language, made at first use. */
export function conceptsOf(language: ProvenLanguage): Concepts {
  let concepts = loaded.get(language);
  if (!concepts) {
    concepts = new Concepts(language);
    loaded.set(language, concepts);
  }
  return concepts;
}

function turned(group: string): string {
  return (group.startsWith('+') ? '-' : '+') + group.slice(1);
}

function linesOf(table: string | undefined): string[] {
  return (table ?? '').trim().split('\n');
}
