import type { Conventions } from '../conventions.js';
import { LabelIndex } from '../labels/label-index.js';
import type { Lexicon } from '../labels/lexicon.js';
import type { PageIndex } from '../page-index.js';
import type { Check, Proposal } from '../rules.types.js';
import { TableReader } from '../tables/table-reader.js';
import { readRows } from '../tables/read-rows.js';
import type { ReadTable, RowValue } from '../tables/read-rows.js';
import type { ListTarget, Target } from '../targets.js';
import { shapeOf } from '../values/shape.js';
import type { Shape } from '../values/shape.js';
import { toValue } from '../values/to-value.js';
import { ScalarList } from './scalar-list.js';

/** The elements of one array. */
export interface FoundList {
  /** Of the amounts of its rows, where they have such. */
  readonly sum?: number;
  /** @param isSum whether the totals of the document are the sum of its rows; undefined: it has none */
  proposals(isSum: boolean | undefined): Iterable<Proposal>;
}

/** Finds the elements of one array, page by page. */
export class ListFinder {
  private readonly columns: readonly Target[];
  private readonly shapes: readonly Shape[];
  private readonly tables: TableReader | undefined;
  private readonly scalars: ScalarList | undefined;

  constructor(
    private readonly list: ListTarget,
    lexicon: Lexicon,
    /** How many arrays the schema has. */
    arrays: number,
  ) {
    this.columns = list.columns ?? [];
    this.shapes = this.columns.map(shapeOf);
    if (list.columns) {
      const needsNumbers = this.shapes.filter((shape) => shape === 'number').length >= 2;
      this.tables = new TableReader(new LabelIndex(this.columns, lexicon, true), needsNumbers, arrays);
    }
    if (list.element) this.scalars = new ScalarList(list.element, lexicon);
  }

  /** Reads the next page, in small steps. @returns the lines, by their number, that are rows */
  *add(page: PageIndex): Generator<void, ReadonlySet<number>> {
    this.scalars?.add(page);
    return this.tables ? yield* this.tables.add(page) : new Set<number>();
  }

  /** What has been found on all pages, in small steps. */
  *finish(conventions: Conventions): Generator<void, FoundList> {
    if (this.scalars) {
      const proposals = this.scalars.finish(this.list.path, conventions);
      return { proposals: () => proposals };
    }
    const sought = { targets: this.columns, shapes: this.shapes };
    const table = yield* readRows(this.tables?.finish() ?? [], sought, conventions);
    if (!table) return { proposals: () => [] };
    return {
      ...(table.sum === undefined ? {} : { sum: table.sum }),
      proposals: (isSum) => this.toProposals(table, conventions, isSum),
    };
  }

  private *toProposals({ rows }: ReadTable, conventions: Conventions, isSum: boolean | undefined): Generator<Proposal> {
    let row = 0;
    for (const values of rows) {
      const own = [...values]
        .sort(([one], [other]) => one - other)
        .flatMap(([index, value]) => this.toProposal(row, index, value, conventions, isSum));
      yield* own;
      // What is no row after all leaves no gap.
      if (own.length > 0) row += 1;
    }
  }

  private toProposal(
    row: number,
    index: number,
    { cell, raw, headerQuality, isProduct }: RowValue,
    conventions: Conventions,
    isSum: boolean | undefined,
  ): Proposal[] {
    const target = this.columns[index] as Target;
    const typed = toValue(target, raw, conventions);
    if (!typed) return [];
    const { recognition, ...place } = cell.place;
    const checks: readonly [Check, boolean | undefined][] = [
      ['row', isProduct],
      ['sum', isProduct === undefined ? undefined : isSum],
    ];
    const named = (state: boolean) => checks.filter(([, passed]) => passed === state).map(([check]) => check);
    return [
      {
        path: `${this.list.path}[${row}].${target.path}`,
        value: typed.value,
        ...place,
        quote: cell.text.slice(raw.start, raw.end),
        start: cell.start + raw.start,
        end: cell.start + raw.end,
        evidence: {
          relation: 'row',
          label: headerQuality > 0 ? 'lexicon' : 'none',
          labelQuality: headerQuality,
          rivals: 0,
          margin: 1,
          ...(recognition === undefined ? {} : { recognition }),
          passed: named(true),
          failed: named(false),
          isAmbiguous: typed.isAmbiguous,
          shape: this.shapes[index] as Shape,
        },
      },
    ];
  }
}
