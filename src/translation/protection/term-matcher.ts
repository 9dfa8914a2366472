import { runSteps } from '../../platform/async/run-steps.js';
import { isWordUnitAt } from '../../platform/text/normalization/word-characters.js';
import type { TextSpan } from '../../platform/text/text-span.js';
import type { GlossaryTerm } from './protected-unit.js';

/** A place where a text has a term of a glossary. */
export interface TermMatch extends TextSpan {
  readonly term: GlossaryTerm;
}

interface Node {
  /** The first word that goes on from here, and where to; the others, since most have no other. */
  key: string | undefined;
  next: Node | undefined;
  others: Map<string, Node> | undefined;
  /** The node of the longest end of this one's words that terms begin with. */
  fallback: Node | undefined;
  /** The longest term that ends here, and how many words it has. */
  term: GlossaryTerm | undefined;
  words: number;
}

interface Word extends TextSpan {
  readonly key: string;
}

const matchers = new WeakMap<readonly GlossaryTerm[], TermMatcher>();

/**
 * Finds the terms of a glossary in texts, whole words in any case, by an automaton of Aho and Corasick over words: in time
 * in proportion to the text, however many terms there are. A character of a script without spaces is a word.
 */
export class TermMatcher {
  private readonly root: Node = newNode();

  private constructor() {}

  /** The matcher of a glossary; a list that is given again is read once. */
  static of(terms: readonly GlossaryTerm[]): TermMatcher {
    return runSteps(TermMatcher.ofSteps(terms));
  }

  /** The same in steps of some words. */
  static *ofSteps(terms: readonly GlossaryTerm[]): Generator<void, TermMatcher> {
    const known = matchers.get(terms);
    if (known) return known;
    const matcher = new TermMatcher();
    for (const term of terms) yield* matcher.add(term);
    yield* matcher.link();
    matchers.set(terms, matcher);
    return matcher;
  }

  /** The terms of a text in order: of those that overlap the first, of those at one place the longest. */
  find(text: string): TermMatch[] {
    return runSteps(this.findSteps(text));
  }

  /** The same in steps of some words. */
  *findSteps(text: string): Generator<void, TermMatch[]> {
    const words = yield* wordSteps(text);
    const matches: TermMatch[] = [];
    let lastWord = -1;
    let pending: { first: number; last: number; term: GlossaryTerm } | undefined;
    const flush = (): void => {
      const [first, last] = [words[pending?.first ?? -1], words[pending?.last ?? -1]];
      if (!pending || !first || !last) return;
      matches.push({ start: first.start, end: last.end, term: pending.term });
      lastWord = pending.last;
      pending = undefined;
    };
    let node = this.root;
    for (const [index, { key }] of words.entries()) {
      if (index % WORDS_AT_ONCE === 0) yield;
      node = this.step(node, key);
      if (!node.term) continue;
      const first = index - node.words + 1;
      if (pending && first > pending.last) flush();
      if (first > lastWord && (!pending || first <= pending.first)) pending = { first, last: index, term: node.term };
    }
    flush();
    return matches;
  }

  private step(from: Node, key: string): Node {
    let node: Node | undefined = from;
    while (node) {
      const next = nextOf(node, key);
      if (next) return next;
      node = node.fallback;
    }
    return this.root;
  }

  private *add(term: GlossaryTerm): Generator<void, void> {
    let node = this.root;
    const words = yield* wordSteps(term.source);
    for (const { key } of words) node = nextOf(node, key) ?? addNext(node, key);
    // The first of two terms with the same words counts.
    if (node === this.root || node.term) return;
    node.term = term;
    node.words = words.length;
  }

  private *link(): Generator<void, void> {
    const queue: Node[] = [this.root];
    for (const [index, node] of queue.entries()) {
      if (index % WORDS_AT_ONCE === 0) yield;
      for (const [key, next] of nextNodes(node)) {
        next.fallback = node === this.root ? this.root : this.step(node.fallback ?? this.root, key);
        if (!next.term && next.fallback.term) {
          next.term = next.fallback.term;
          next.words = next.fallback.words;
        }
        queue.push(next);
      }
    }
  }
}

function newNode(): Node {
  return { key: undefined, next: undefined, others: undefined, fallback: undefined, term: undefined, words: 0 };
}

function nextOf(node: Node, key: string): Node | undefined {
  return node.key === key ? node.next : node.others?.get(key);
}

function addNext(node: Node, key: string): Node {
  const next = newNode();
  if (node.next) (node.others ??= new Map()).set(key, next);
  else Object.assign(node, { key, next });
  return next;
}

function* nextNodes({ key, next, others }: Node): Generator<readonly [string, Node], void> {
  if (key === undefined || !next) return;
  yield [key, next];
  if (others) yield* others;
}

const WORDS_AT_ONCE = 100;
const NO_SPACE = /[^\s]/u;

function* wordSteps(text: string): Generator<void, Word[]> {
  const words: Word[] = [];
  for (let at = 0; at < text.length;) {
    let end = at;
    while (isWordUnitAt(text, end)) end += 1;
    if (end === at) end += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    const written = text.slice(at, end);
    if (NO_SPACE.test(written)) words.push({ start: at, end, key: written.toLowerCase().normalize('NFC') });
    if (words.length % WORDS_AT_ONCE === 0) yield;
    at = end;
  }
  return words;
}
