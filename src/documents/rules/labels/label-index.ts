import type { Target } from '../targets.js';
import { toLabelTokens } from './label-tokens.js';
import type { LabelToken } from './label-tokens.js';
import { isRowConcept } from './concept-of.js';
import type { Concept, Lexicon } from './lexicon.js';

/** Where the words of a label come from: the surer first. */
export type LabelSource = 'schema' | 'lexicon' | 'name' | 'partial';

/** A label that a text has, and for what. */
export interface LabelMatch {
  /** Tokens of the text, from `first` up to, and without, `end`. */
  readonly first: number;
  readonly end: number;
  readonly meanings: readonly LabelMeaning[];
}

/** One field that a label may stand for. */
export interface LabelMeaning {
  /** Its place among the targets. */
  readonly target: number;
  readonly source: LabelSource;
  /** 0–1: how well the label says it. */
  readonly quality: number;
}

interface Entry {
  readonly keys: readonly string[];
  readonly meanings: LabelMeaning[];
}

/** How well each source says what a value is. */
const QUALITY = { schema: 1, lexicon: 0.95, name: 0.9 } as const;

/** A label has so many words at most, and a field so many labels. */
const MOST_WORDS = 12;
const MOST_LABELS = 60;

/** The labels of all fields, to be found in the words of a text in one pass. */
export class LabelIndex {
  private readonly byFirst = new Map<string, Entry[]>();
  private readonly byKeys = new Map<string, Entry>();
  private readonly vocabulary = new Map<string, Map<number, number>>();

  constructor(
    targets: readonly Target[],
    lexicon: Lexicon,
    /** Whether they are the columns of an array. */
    isOfRows = false,
  ) {
    for (const [index, { labels, names, concept }] of targets.entries()) {
      for (const label of labels.slice(0, MOST_LABELS)) this.add(label, index, 'schema');
      const known = concept ? Object.values(lexicon[concept].labels).flat() : [];
      for (const label of known) this.add(label, index, 'lexicon');
      for (const name of names) this.add(name, index, 'name');
    }
    // What nobody asks for are labels all the same: "item code" is no "item".
    for (const [concept, { labels }] of Object.entries(lexicon) as [Concept, Lexicon[Concept]][]) {
      if (isRowConcept(concept, isOfRows)) for (const label of Object.values(labels).flat()) this.entryOf(label);
    }
    for (const entries of this.byFirst.values()) entries.sort((one, other) => other.keys.length - one.keys.length);
  }

  /**
   * The labels that stand in some words, each the longest at its place; they do not overlap.
   * @param isBreak whether another cell begins with a word, into which no label goes on
   */
  find(tokens: readonly LabelToken[], isBreak: (index: number) => boolean = () => false): LabelMatch[] {
    const matches: LabelMatch[] = [];
    for (let first = 0; first < tokens.length; first += 1) {
      const entry = this.byFirst
        .get((tokens[first] as LabelToken).key)
        ?.find(({ keys }) =>
          keys.every((key, index) => tokens[first + index]?.key === key && (index === 0 || !isBreak(first + index))),
        );
      if (!entry) continue;
      const end = first + entry.keys.length;
      matches.push({ first, end, meanings: entry.meanings });
      first = end - 1;
    }
    return matches;
  }

  /**
   * What a short text that is no known label may mean by single words that it shares with labels: the words are worth the
   * less the more fields have them.
   */
  findPartial(tokens: readonly LabelToken[]): LabelMeaning[] {
    if (tokens.length === 0 || tokens.length > MOST_WORDS) return [];
    const scores = new Map<number, number>();
    for (const { key } of tokens) {
      const fields = this.vocabulary.get(key);
      for (const target of fields?.keys() ?? []) {
        scores.set(target, (scores.get(target) ?? 0) + 1 / Math.sqrt((fields as Map<number, number>).size));
      }
    }
    return [...scores].map(([target, score]) => ({
      target,
      source: 'partial',
      quality: Math.min(0.8, 0.25 + (0.6 * score) / tokens.length),
    }));
  }

  private add(label: string, target: number, source: Exclude<LabelSource, 'partial'>): void {
    const entry = this.entryOf(label);
    if (!entry || entry.meanings.some((meaning) => meaning.target === target)) return;
    entry.meanings.push({ target, source, quality: QUALITY[source] });
    for (const key of entry.keys.filter((some) => some.length > 2)) {
      const fields = this.vocabulary.get(key) ?? new Map<number, number>();
      this.vocabulary.set(key, fields.set(target, 1));
    }
  }

  private entryOf(label: string): Entry | undefined {
    const keys = toLabelTokens(label).map(({ key }) => key);
    const [first] = keys;
    if (first === undefined || keys.length > MOST_WORDS) return undefined;
    const joined = keys.join(' ');
    const known = this.byKeys.get(joined);
    if (known) return known;
    const entry: Entry = { keys, meanings: [] };
    this.byKeys.set(joined, entry);
    const others = this.byFirst.get(first);
    if (others) others.push(entry);
    else this.byFirst.set(first, [entry]);
    return entry;
  }
}
