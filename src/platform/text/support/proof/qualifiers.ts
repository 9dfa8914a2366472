import type { ProvenLanguage } from './concepts.js';

/** What a word does to a statement: to how much of a thing it applies, or how sure or binding it is. */
export type Qualifier =
  | 'all'
  | 'most'
  | 'many'
  | 'some'
  | 'few'
  | 'only'
  | 'very'
  | 'almost'
  | 'possible'
  | 'able'
  | 'must'
  | 'should'
  | 'expected'
  | 'alleged';

const WORDS: Readonly<Record<ProvenLanguage, Readonly<Record<Qualifier, string>>>> = {
  en: {
    all: 'all every each always everyone everybody everything',
    most: 'most mostly mainly usually typically generally predominantly',
    many: 'many numerous often frequently',
    some: 'some several sometimes partly partially occasionally',
    few: 'few rarely seldom hardly barely scarcely',
    only: 'only solely exclusively merely',
    very: 'very extremely highly hugely exceptionally',
    almost: 'almost nearly virtually',
    possible: 'may might could possibly perhaps maybe allowed permitted allows permits',
    able: 'can able cannot',
    must: 'must shall required mandatory obliged compulsory obligatory',
    should: 'should recommended ought',
    expected: 'expected expects likely probably planned plans planning intends intended predicted would',
    alleged: 'allegedly reportedly alleged supposedly purportedly',
  },
  de: {
    all: 'alle allen aller alles jeder jede jedes jedem jeden sämtliche sämtlichen immer stets ganz',
    most: 'meisten meist meistens überwiegend mehrheitlich üblicherweise',
    many: 'viele vielen vieler zahlreiche zahlreichen oft häufig',
    some: 'einige einigen einiger manche manchen mancher manchmal teilweise teils mehrere mehreren gelegentlich',
    few: 'wenige wenigen selten kaum',
    only: 'nur ausschließlich lediglich',
    very: 'sehr äußerst extrem höchst überaus',
    almost: 'fast beinahe nahezu',
    possible:
      'darf dürfen durfte durften dürfte dürften erlaubt gestattet zulässig könnte könnten möglicherweise vielleicht eventuell',
    able: 'kann können konnte konnten',
    must: 'muss müssen musste mussten erforderlich verpflichtet',
    should: 'sollte sollten empfohlen',
    expected: 'soll sollen voraussichtlich wahrscheinlich vermutlich erwartet geplant plant planen',
    alleged: 'angeblich mutmaßlich vermeintlich',
  },
};

/** Those that make a statement weaker: without them it says more than its source. */
const WEAKENING: readonly Qualifier[] = [
  'most',
  'many',
  'some',
  'few',
  'almost',
  'possible',
  'able',
  'should',
  'expected',
  'alleged',
];
const QUANTITIES: ReadonlySet<Qualifier> = new Set(['all', 'most', 'many', 'some', 'few', 'only', 'almost']);
/** What else says as much as a qualifier. */
const STANDS_FOR: Readonly<Partial<Record<Qualifier, readonly Qualifier[]>>> = {
  possible: ['able'],
  able: ['possible'],
};
/** Whoever adds caution claims no more. */
const HARMLESS: ReadonlySet<Qualifier> = new Set(['expected', 'alleged', 'able']);

const qualifiers: Readonly<Record<ProvenLanguage, ReadonlyMap<string, Qualifier>>> = {
  en: toMap('en'),
  de: toMap('de'),
};

/** Answers how a word in lower case qualifies; undefined where it does not. */
export function toQualifier(lower: string, language: ProvenLanguage): Qualifier | undefined {
  return qualifiers[language].get(lower);
}

/** The qualifiers of a clause with those that it shares with the clause before, which it is joined to by `and`. */
export function withShared(own: ReadonlySet<Qualifier>, before: ReadonlySet<Qualifier>): ReadonlySet<Qualifier> {
  const hasOwn = { quantity: false, modality: false };
  for (const qualifier of own) hasOwn[kindOf(qualifier)] = true;
  return new Set([...own, ...[...before].filter((qualifier) => !hasOwn[kindOf(qualifier)])]);
}

/** Says whether a statement is qualified as its source is: it adds nothing and leaves no reservation out. */
export function isQualifiedAlike(claimed: ReadonlySet<Qualifier>, given: ReadonlySet<Qualifier>): boolean {
  const isIn = (set: ReadonlySet<Qualifier>, qualifier: Qualifier): boolean =>
    set.has(qualifier) || (STANDS_FOR[qualifier] ?? []).some((other) => set.has(other));
  return (
    [...claimed].every((qualifier) => HARMLESS.has(qualifier) || isIn(given, qualifier)) &&
    WEAKENING.every((qualifier) => !given.has(qualifier) || isIn(claimed, qualifier))
  );
}

function kindOf(qualifier: Qualifier): 'quantity' | 'modality' {
  return QUANTITIES.has(qualifier) ? 'quantity' : 'modality';
}

function toMap(language: ProvenLanguage): ReadonlyMap<string, Qualifier> {
  const entries = Object.entries(WORDS[language]) as [Qualifier, string][];
  return new Map(entries.flatMap(([qualifier, words]) => words.split(' ').map((word) => [word, qualifier] as const)));
}
