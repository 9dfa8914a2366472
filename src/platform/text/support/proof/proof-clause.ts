import { toMonth } from '../../months.js';
import { namesOf } from '../names.js';
import { toNegation, isContrast } from '../negations.js';
import { toNumberWord } from '../number-words.js';
import { toScale, toUnit } from '../units.js';
import { readWords } from '../words.js';
import type { Word } from '../words.js';
import type { Concepts, Meaning, ProvenLanguage } from './concepts.js';
import { toQualifier, withShared } from './qualifiers.js';
import type { Qualifier } from './qualifiers.js';

/** A word that says something of its own, and what it does in its sentence as far as words beside it tell. */
export interface ProofWord extends Meaning {
  readonly isName: boolean;
  readonly isCapital: boolean;
  /** The number of its clause. */
  readonly clause: number;
  /** Its place among all words of the sentence. */
  readonly place: number;
  /** The preposition that it stands behind, else the word that its clause begins with, such as `when`, else ''. */
  readonly role: string;
  /** The German article that it stands behind, which may tell its case; else ''. */
  readonly article: string;
  /** Whether its meaning matters little. */
  readonly isLight: boolean;
}

/** A part of a sentence between commas, conjunctions and the like. */
export interface ProofClause {
  readonly words: readonly ProofWord[];
  readonly qualifiers: ReadonlySet<Qualifier>;
  /** All its words in lower case. */
  readonly all: readonly string[];
}

const LEADS: Readonly<Record<ProvenLanguage, ReadonlySet<string>>> = {
  en: new Set(
    'when while whereas if because after before although though that which who whose where unless until'.split(' '),
  ),
  de: new Set('wenn weil nachdem bevor während obwohl dass falls sobald solange'.split(' ')),
};
const JOINTS: ReadonlySet<string> = new Set(['and', 'or', 'und', 'oder', 'sowie']);
const PREPOSITIONS: Readonly<Record<ProvenLanguage, ReadonlySet<string>>> = {
  en: new Set(
    'in on at from to for with by of against into onto over under between through during as than about via without since per within toward towards among'.split(
      ' ',
    ),
  ),
  de: new Set(
    'in im an am auf aus bei beim mit nach von vom vor zu zum zur für gegen durch über unter um ohne seit bis als zwischen wegen ins ans'.split(
      ' ',
    ),
  ),
};
/** German prepositions that are joined with an article. */
const WITH_ARTICLE: ReadonlySet<string> = new Set('im am beim vom zum zur ins ans'.split(' '));
const ARTICLES: ReadonlySet<string> = new Set(
  'the a an this its his her their der die das den dem des ein eine einen einem einer eines sein seine seinem seinen ihr ihre ihrem ihren'.split(
    ' ',
  ),
);
const CASES: ReadonlyMap<string, string> = new Map([
  ['der', 'der'],
  ['den', 'den'],
  ['dem', 'dem'],
  ['des', 'des'],
  ['einen', 'den'],
  ['einem', 'dem'],
  ['eines', 'des'],
  ['sein', 'der'],
  ['ihr', 'der'],
  ['seinen', 'den'],
  ['ihren', 'den'],
  ['seinem', 'dem'],
  ['ihrem', 'dem'],
]);
const AUXILIARIES: ReadonlySet<string> = new Set(
  'is are was were be been has have had did does do will would wird werden wurde wurden ist sind war waren hat haben hatte hatten'.split(
    ' ',
  ),
);
/** Words of one role in a row. */
const LONGEST_PHRASE = { en: 3, de: 4 } as const;
const CAPITAL = /^\p{Lu}/u;

/** Reads the clauses of a sentence that is plain and rewritten. */
export function readClauses(text: string, concepts: Concepts): ProofClause[] {
  const reader = new ClauseReader(concepts);
  const words = readWords(text, concepts.language);
  const names = namesOf(words, concepts.words);
  for (const [place, word] of words.entries()) reader.add(word, place, names.has(word.lower));
  return reader.finish();
}

class ClauseReader {
  private readonly clauses: { words: ProofWord[]; qualifiers: Set<Qualifier>; all: string[]; isJoined: boolean }[] = [];
  private lead = '';
  private preposition = '';
  private article = '';
  /** Words with content since the preposition, and the last of them. */
  private phrase = 0;
  private last: Word | undefined;

  constructor(private readonly concepts: Concepts) {}

  add(word: Word, place: number, isName: boolean): void {
    const { language } = this.concepts;
    const { lower } = word;
    const isLead = LEADS[language].has(lower);
    const isJoint = JOINTS.has(lower);
    if (this.clauses.length === 0 || word.isAfterBreak || isJoint || isLead || isContrast(lower)) {
      const isJoined = isJoint && this.clauses.length > 0;
      this.clauses.push({ words: [], qualifiers: new Set(), all: [], isJoined });
      if (!isJoint) this.lead = '';
      // `By France and Italy`: what is joined has the same role.
      if (!isJoint) this.endPhrase();
    }
    const clause = this.clauses.at(-1);
    if (!clause) return;
    clause.all.push(lower);
    if (isLead) this.lead = lower;
    if (isJoint || isLead) return;
    const qualifier = isMonth(word) ? undefined : toQualifier(lower, language);
    if (qualifier) clause.qualifiers.add(qualifier);
    const meaning = this.concepts.meaningOf(lower);
    if (!qualifier && this.isContent(lower, meaning)) {
      clause.words.push(this.toProofWord(word, meaning, place, isName));
    } else {
      this.follow(lower);
    }
  }

  finish(): ProofClause[] {
    let before: ReadonlySet<Qualifier> = new Set();
    return this.clauses.map(({ words, qualifiers, all, isJoined }) => {
      before = isJoined ? withShared(qualifiers, before) : qualifiers;
      return { words, qualifiers: before, all };
    });
  }

  private toProofWord(word: Word, meaning: Meaning, place: number, isName: boolean): ProofWord {
    if (this.isPhraseOver(word)) this.endPhrase();
    this.phrase += 1;
    this.last = word;
    const { lower } = word;
    return {
      ...meaning,
      isName,
      isCapital: CAPITAL.test(word.text),
      clause: this.clauses.length - 1,
      place,
      role: this.preposition || this.lead,
      article: CASES.get(this.article) ?? '',
      isLight: this.concepts.isLight(lower),
    };
  }

  /** Whether a word with content no longer belongs to what stands behind the preposition. */
  private isPhraseOver({ text }: Word): boolean {
    const { language } = this.concepts;
    if (this.phrase === 0 || !this.last) return false;
    const [wasCapital, isCapital] = [CAPITAL.test(this.last.text), CAPITAL.test(text)];
    if (wasCapital && !isCapital) return true;
    if (language === 'en') return (isCapital && !wasCapital) || this.phrase >= LONGEST_PHRASE.en;
    return WITH_ARTICLE.has(this.preposition) ? wasCapital : this.phrase >= LONGEST_PHRASE.de;
  }

  /** A word without content begins a phrase, stands in it, or ends it. */
  private follow(lower: string): void {
    const { language } = this.concepts;
    if (PREPOSITIONS[language].has(lower)) {
      this.endPhrase();
      this.preposition = lower;
    } else if (ARTICLES.has(lower)) {
      if (this.phrase > 0) this.endPhrase();
      this.article = lower;
    } else if (this.phrase > 0 || this.preposition === '' || endsPhrase(lower, language)) {
      this.endPhrase();
    }
  }

  private endPhrase(): void {
    this.preposition = '';
    this.article = '';
    this.phrase = 0;
    this.last = undefined;
  }

  private isContent(lower: string, meaning: Meaning): boolean {
    const { language, words } = this.concepts;
    if (/^\p{N}/u.test(lower) || PREPOSITIONS[language].has(lower) || ARTICLES.has(lower)) return false;
    if (toMonth(lower) !== undefined) return false;
    if (words.isStopWord(lower) && !this.concepts.hasOpposite(meaning)) return false;
    if (toUnit(lower) !== undefined || toScale(lower, language) !== undefined) return false;
    return toNegation(lower, language) === undefined && toNumberWord(lower, language)?.isCertain !== true;
  }
}

/** Whether a word without content ends what stands behind a preposition, even where nothing with content was in it. */
function endsPhrase(lower: string, language: ProvenLanguage): boolean {
  return AUXILIARIES.has(lower) || /^\d{4}$/.test(lower) || (toUnit(lower) ?? toScale(lower, language)) !== undefined;
}

/** `May` in the middle of a sentence is the month. */
function isMonth({ text, isFirst }: Word): boolean {
  return text === 'May' && !isFirst;
}
