import { LabelIndex } from '../labels/label-index.js';
import type { Lexicon } from '../labels/lexicon.js';
import type { PageIndex } from '../page-index.js';
import type { Target } from '../targets.js';
import { findCompanies } from './companies.js';
import { toPlace } from './candidate.js';
import type { Place } from './candidate.js';
import { findByLabels } from './label-candidates.js';

/** One of those who make a contract, and where it is named. */
export interface FoundParty {
  readonly name: string;
  readonly place: Place;
}

const WORD = String.raw`[\p{Lu}\p{N}][\p{L}\p{N}&.'’\/-]{0,40}`;
const NAME = String.raw`(?:the |der |die |dem |la |le |el )?(?<name>${WORD}(?:[ \n](?:${WORD}|&|und|et|y|de|du|of)){0,6}?)`;

/** A contract begins so, in the languages that are known; names end before an address, or what they are called below. */
const BETWEEN = new RegExp(
  String.raw`(?<![\p{L}])(?:[Bb]etween|[Zz]wischen|[Ee]ntre)[ \n]${NAME}(?=,| \(| and | und | et | y )`,
  'u',
);
const OTHER = new RegExp(String.raw`[),][ \n]?(?:and|und|et|y)[ \n]${NAME}(?=,| \(| \u2013| -)`, 'u');

/** The names of a contract stand in so much of its text, in UTF-16 units; the second behind the first in so much. */
const BEGINNING = 5_000;
const DISTANCE = 400;

/** Finds who makes a contract. */
export class PartyFinder {
  private readonly labels: LabelIndex;
  private readonly targets: readonly Target[];

  constructor(lexicon: Lexicon) {
    const field = { name: 'name', kind: 'string', isRequired: false, isNullable: true, labels: [] } as const;
    this.targets = (['supplierName', 'customerName'] as const).map((concept) => ({
      path: concept,
      field,
      concept,
      labels: [],
      names: [],
    }));
    this.labels = new LabelIndex(this.targets, lexicon);
  }

  /** The two of a contract's first page, in their order: by its first sentence, by labels, or by their forms as companies. */
  find(page: PageIndex): FoundParty[] {
    const sentence = partiesOfSentence(page);
    if (sentence.length === 2) return sentence;
    const labelled = this.labelled(page);
    if (labelled.length === 2) return labelled;
    const companies = findCompanies(page);
    const first = companies.filter(({ name }, index) => companies.findIndex((other) => other.name === name) === index);
    return first.length >= 2 ? first.slice(0, 2) : ([labelled, sentence, first].find((some) => some.length > 0) ?? []);
  }

  private labelled(page: PageIndex): FoundParty[] {
    const sought = this.targets.map((target) => ({ target, shape: 'text' as const }));
    const best = new Map<number, { readonly score: number; readonly party: FoundParty }>();
    findByLabels(page, this.labels, sought, (target, { score, place, relation, label }) => {
      if (relation === 'sentence' || label === 'partial' || score <= (best.get(target)?.score ?? 0)) return;
      best.set(target, { score, party: { name: place.quote.replaceAll(/\s+/g, ' '), place } });
    });
    return [...best.values()].map(({ party }) => party).sort((one, other) => one.place.start - other.place.start);
  }
}

function partiesOfSentence(page: PageIndex): FoundParty[] {
  const text = page.page.text.slice(0, BEGINNING);
  const first = BETWEEN.exec(text);
  const one = first?.groups?.['name'];
  if (!first || one === undefined) return [];
  const start = first.index + first[0].length - one.length;
  const end = start + one.length;
  const found = [partyAt(page, start, end)];
  const second = OTHER.exec(text.slice(end, end + DISTANCE));
  const other = second?.groups?.['name'];
  if (second && other !== undefined) {
    const last = end + second.index + second[0].length;
    found.push(partyAt(page, last - other.length, last));
  }
  return found;
}

function partyAt(page: PageIndex, start: number, end: number): FoundParty {
  const words = page.cells.filter((cell) => cell.start < end && cell.end > start).flatMap((cell) => cell.words);
  const place = toPlace(page, start, end, words);
  return { name: place.quote.replaceAll(/\s+/g, ' '), place };
}
