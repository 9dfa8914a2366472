import type { Conventions } from '../conventions.js';
import { toPlace } from '../candidates/candidate.js';
import type { Place } from '../candidates/candidate.js';
import { PartyFinder } from '../candidates/parties.js';
import type { FoundParty } from '../candidates/parties.js';
import { LabelIndex } from '../labels/label-index.js';
import type { LabelMeaning } from '../labels/label-index.js';
import type { Lexicon } from '../labels/lexicon.js';
import { toLabelTokens } from '../labels/label-tokens.js';
import type { PageIndex, PlacedCell } from '../page-index.js';
import type { Evidence, Proposal } from '../rules.types.js';
import type { Target } from '../targets.js';
import { readJudgedValues } from '../values/read-values.js';
import type { RawValue } from '../values/raw-value.js';
import { shapeOf } from '../values/shape.js';
import type { Shape } from '../values/shape.js';
import { toValue } from '../values/to-value.js';
import type { TypedValue } from '../values/to-value.js';

/** An array has so many values at most. */
const MOST_VALUES = 200;
/** So many labels of a page are looked at, and so much behind each, in UTF-16 units. */
const MOST_LABELS = 50;
const LONGEST = 4_000;

/** What stands between the values of a list. */
const SEPARATOR = /[,;|\u2022\u00b7]|\s(?:and|und|et|y)\s/gu;

/** What lists of parties are called. */
const PARTIES = new Set(['parties', 'partie', 'party', 'contracting', 'vertragsparteien', 'parteien', 'partes']);

interface Element {
  readonly raw: RawValue;
  readonly place: Place;
}

/** Finds the values of an array of values: behind its label, between separators, or as a list below it. */
export class ScalarList {
  private readonly shape: Shape;
  private readonly labels: LabelIndex;
  private readonly isOfParties: boolean;
  private readonly parties: PartyFinder;
  private elements: Element[] = [];
  private meaning: LabelMeaning | undefined;

  constructor(
    private readonly target: Target,
    lexicon: Lexicon,
  ) {
    this.shape = shapeOf(target);
    this.labels = new LabelIndex([target], lexicon);
    this.parties = new PartyFinder(lexicon);
    this.isOfParties = target.labels.some((label) => toLabelTokens(label).some(({ key }) => PARTIES.has(key)));
  }

  /** Reads the next page; the first list that is found is the array's. */
  add(page: PageIndex): void {
    if (this.isOfParties) {
      if (page.index === 0) this.elements = this.parties.find(page).map(toElement);
      return;
    }
    if (this.elements.length > 0) return;
    for (const { end, meanings } of this.labels.find(page.tokens, page.isBreak).slice(0, MOST_LABELS)) {
      const last = page.tokens[end - 1];
      if (!last) continue;
      const found = this.read(page, last.cell, last.end);
      if (found.length === 0) continue;
      [this.meaning] = meanings;
      this.elements = found.slice(0, MOST_VALUES);
      return;
    }
  }

  /** Proposals for the elements. */
  finish(path: string, conventions: Conventions): Proposal[] {
    const proposals: Proposal[] = [];
    for (const { raw, place } of this.elements) {
      const typed = toValue(this.target, raw, conventions);
      const { recognition, ...proof } = place;
      // What is no value after all leaves no gap.
      const element = `${path}[${proposals.length}]`;
      if (typed)
        proposals.push({ path: element, value: typed.value, ...proof, evidence: this.evidenceOf(typed, recognition) });
    }
    return proposals;
  }

  private evidenceOf({ isAmbiguous }: TypedValue, recognition: number | undefined): Evidence {
    return {
      relation: this.meaning ? 'row' : 'none',
      label: this.meaning?.source ?? 'none',
      labelQuality: this.meaning?.quality ?? 0,
      rivals: 0,
      margin: 1,
      ...(recognition === undefined ? {} : { recognition }),
      passed: [],
      failed: [],
      isAmbiguous,
      shape: this.shape,
    };
  }

  private read(page: PageIndex, cell: PlacedCell, from: number): Element[] {
    const isLabelAlone = !/[\p{L}\p{N}]/u.test(page.textOf({ start: from, end: cell.end }));
    // A word within a sentence is no label.
    const isSetOff = isLabelAlone || /^\s*:/.test(page.textOf({ start: from, end: from + 2 }));
    if (!isSetOff) return [];
    if (!isLabelAlone) return this.split(page, cell, from);
    const [beside] = page.beside(cell, 1);
    if (beside) return this.split(page, { ...beside, line: cell.line, column: cell.column + 1 }, beside.start);
    const elements: Element[] = [];
    for (let below = page.below(cell); below && elements.length < MOST_VALUES; below = page.below(below)) {
      const isItem = page.blockAt(below.start)?.kind === 'list_item' || /^[\u2022\u00b7*-]/.test(page.textOf(below));
      if (!isItem && elements.length > 0) break;
      const found = isItem ? this.toElement(page, below, below.start, below.end) : this.split(page, below, below.start);
      elements.push(...found);
      if (!isItem) break;
    }
    return elements;
  }

  private split(page: PageIndex, cell: PlacedCell, from: number): Element[] {
    const text = page.textOf({ start: from, end: Math.min(cell.end, from + LONGEST) });
    const elements: Element[] = [];
    let start = 0;
    for (const { 0: separator, index } of [...text.matchAll(SEPARATOR), { 0: '', index: text.length }]) {
      elements.push(...this.toElement(page, cell, from + start, from + index));
      start = index + separator.length;
      if (elements.length >= MOST_VALUES) break;
    }
    return elements;
  }

  private toElement(page: PageIndex, cell: PlacedCell, start: number, end: number): Element[] {
    const [raw] = readJudgedValues(this.target, this.shape, page.textOf({ start, end }), false);
    if (!raw) return [];
    return [{ raw, place: toPlace(page, start + raw.start, start + raw.end, cell.words) }];
  }
}

function toElement({ name, place }: FoundParty): Element {
  return { raw: { start: 0, end: name.length, known: name }, place };
}
