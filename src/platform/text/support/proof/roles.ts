import type { Concepts } from './concepts.js';
import type { ProofClause, ProofWord } from './proof-clause.js';

/** Words of a source that are compared with one of a sentence. */
const MOST_SAME = 3;
const BE: ReadonlySet<string> = new Set('is are was were be been being wird werden wurde wurden worden'.split(' '));
const AGENT: ReadonlySet<string> = new Set(['by', 'von', 'vom', 'durch']);

/** Where the words of a sentence stand when what acts is told first, as it is where nothing is in the passive voice. */
class Order {
  private readonly places = new Map<ProofWord, number>();
  /** What acts and what is acted on. */
  readonly participants = new Set<ProofWord>();
  readonly isPassive: boolean;

  constructor(readonly clauses: readonly ProofClause[]) {
    let hasPassive = false;
    for (const clause of clauses) {
      const isPassive = clause.all.some((word) => BE.has(word));
      const agents = new Set(isPassive ? clause.words.filter(({ role }) => AGENT.has(role)) : []);
      hasPassive ||= isPassive;
      this.place(clause, agents);
    }
    this.isPassive = hasPassive;
  }

  of(word: ProofWord): number {
    return this.places.get(word) ?? word.place;
  }

  /** Of a passive clause the agent, the verb beside it, then the rest. */
  private place({ words }: ProofClause, agents: ReadonlySet<ProofWord>): void {
    const base = (words[0]?.place ?? 0) * 1_000;
    const [agent] = agents;
    const isBare = (word: ProofWord): boolean => agents.has(word) || !word.role || LEADING.has(word.role);
    for (const word of words) if (isBare(word)) this.participants.add(word);
    const verb = agent && verbOf(words, agent, agents);
    for (const [index, word] of words.entries()) {
      const rank = !agent ? index : agents.has(word) ? index : word === verb ? 300 : 400 + index;
      this.places.set(word, base + rank);
    }
  }
}

/** Clauses that tell who does what as whole sentences do. */
const LEADING: ReadonlySet<string> = new Set(
  'when while whereas if because although though that which who where wenn weil nachdem bevor während obwohl dass'.split(
    ' ',
  ),
);

/** `was bought by A` has its verb before the agent, `wurde von A gekauft` behind it. */
function verbOf(words: readonly ProofWord[], agent: ProofWord, agents: ReadonlySet<ProofWord>): ProofWord | undefined {
  const others = words.filter((word) => !agents.has(word));
  if (agent.role === 'by') return others.findLast(({ place, role }) => place < agent.place && role === '');
  return others.findLast(({ place, isName }) => place > agent.place && !isName);
}

/** Says whether somebody does in a sentence what another one does in its source, or the other way round. */
export function hasSwappedRoles(
  claimed: readonly ProofClause[],
  given: readonly ProofClause[],
  concepts: Concepts,
): boolean {
  const pairs = matchesOf(claimed, given, concepts);
  const [own, other] = [new Order(claimed), new Order(given)];
  return (
    hasReversal(pairs, own, other, concepts) ||
    hasExchange(pairs, own, other, true) ||
    hasExchange(pairs, own, other, false) ||
    hasTheft(pairs, own, other) ||
    hasTurnedCase(pairs, own, other, concepts)
  );
}

/** A word of the sentence with the words of the source that mean the same. */
interface Match {
  readonly word: ProofWord;
  readonly same: readonly ProofWord[];
}

function matchesOf(claimed: readonly ProofClause[], given: readonly ProofClause[], concepts: Concepts): Match[] {
  const words = given.flatMap((clause) => clause.words);
  return claimed
    .flatMap((clause) => clause.words)
    .map((word) => ({ word, same: words.filter((other) => concepts.isSame(word, other)).slice(0, MOST_SAME) }))
    .filter(({ same }) => same.length > 0);
}

/** `A buys B` and `B buys A`: two participants change places around what both sentences have between them. */
function hasReversal(pairs: readonly Match[], own: Order, other: Order, concepts: Concepts): boolean {
  const acting = pairs.filter(({ word }) => own.participants.has(word));
  return acting.some((one) =>
    acting.some((two) => {
      if (one.word.clause !== two.word.clause || own.of(one.word) >= own.of(two.word)) return false;
      const turned = one.same.flatMap((first) => two.same.map((second) => [first, second] as const));
      return (
        turned.length > 0 &&
        turned.every(
          ([first, second]) =>
            first.clause === second.clause &&
            other.participants.has(first) &&
            other.participants.has(second) &&
            other.of(second) < other.of(first) &&
            isNoun(one.word, first, concepts) &&
            isNoun(two.word, second, concepts) &&
            !keepsCase(one.word, first, two.word, second) &&
            hasBetween([one.word, two.word], [second, first], pairs, own, other),
        )
      );
    }),
  );
}

/** What may act or be acted on: adverbs, which stand anywhere, may not. */
function isNoun(one: ProofWord, other: ProofWord, { language }: Concepts): boolean {
  return language === 'de' ? one.isCapital && other.isCapital : !one.lower.endsWith('ly');
}

/** In German the object may stand first: then its article says so. */
function keepsCase(one: ProofWord, first: ProofWord, two: ProofWord, second: ProofWord): boolean {
  return (
    one.article !== '' && one.article === first.article && two.article === second.article && one.article !== two.article
  );
}

function hasBetween(
  [from, to]: readonly [ProofWord, ProofWord],
  [start, end]: readonly [ProofWord, ProofWord],
  pairs: readonly Match[],
  own: Order,
  other: Order,
): boolean {
  const isInside = (order: Order, word: ProofWord, a: ProofWord, b: ProofWord): boolean =>
    order.of(word) > order.of(a) && order.of(word) < order.of(b);
  if (
    pairs.some(
      ({ word, same }) => isInside(own, word, from, to) && same.some((one) => isInside(other, one, start, end)),
    )
  ) {
    return true;
  }
  // Names that are not neighbours have something between them that tells who does it.
  return from.isName && to.isName && to.place - from.place > 1 && end.place - start.place > 1;
}

/** `From A to B` and `from B to A`: two words take the roles of each other. */
function hasExchange(pairs: readonly Match[], own: Order, other: Order, withCase: boolean): boolean {
  const changed = pairs.flatMap(({ word, same }) => {
    const [now, before] = [roleOf(word, own, withCase), new Set(same.map((one) => roleOf(one, other, withCase)))];
    return before.has(now) || before.size !== 1 ? [] : [{ now, before: [...before][0] ?? '' }];
  });
  const moved = new Set(changed.map(({ now, before }) => `${before}>${now}`));
  return changed.some(({ now, before }) => moved.has(`${now}>${before}`));
}

/** What acts is '', whether in the active voice or not; else the preposition, the case or the conjunction. */
function roleOf(word: ProofWord, order: Order, withCase: boolean): string {
  if (!order.participants.has(word)) return word.role;
  if (word.role !== '' && !AGENT.has(word.role)) return word.role;
  if (!withCase) return '';
  return word.article === 'den' || word.article === 'dem' || word.article === 'der' ? `case ${word.article}` : '';
}

/** The first word acts, but stands in its source behind a preposition, and what acts there is gone or acted on. */
function hasTheft(pairs: readonly Match[], own: Order, other: Order): boolean {
  if (own.isPassive) return false;
  const [first, ...rest] = pairs.filter(({ word }) => own.participants.has(word));
  if (!first || first.same.some((word) => other.participants.has(word))) return false;
  const clause = other.clauses[first.same[0]?.clause ?? -1];
  const actor = clause?.words.find((word) => other.participants.has(word));
  if (!actor || first.word.role !== '') return false;
  const isGone = !pairs.some(({ same }) => same.includes(actor));
  return isGone || rest.some(({ word, same }) => same.includes(actor) && /^de[nm]$/.test(word.article));
}

/** `Den Hund biss die Katze` and `der Hund biss die Katze`: an object stands first, or what acts stands behind the verb. */
function hasTurnedCase(pairs: readonly Match[], own: Order, other: Order, { language }: Concepts): boolean {
  if (language !== 'de' || own.isPassive || other.isPassive) return false;
  const isFirst = ({ clauses }: Order, word: ProofWord): boolean => clauses[word.clause]?.words[0] === word;
  const isBare = ({ role, isCapital }: ProofWord): boolean => role === '' && isCapital;
  return pairs.some(({ word, same }) => {
    if (!isBare(word)) return false;
    const has = (article: string, isAtStart: boolean): boolean =>
      same.every((one) => isBare(one) && one.article === article && isFirst(other, one) === isAtStart);
    return (
      (word.article === 'der' && isFirst(own, word) && has('den', true)) ||
      (word.article === 'den' && !isFirst(own, word) && has('der', false))
    );
  });
}
