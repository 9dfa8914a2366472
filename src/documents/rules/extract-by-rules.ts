import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { PageLayout } from '../layout/layout.types.js';
import type { ExtractionSchema } from '../schema/schema.types.js';
import { findByLabels } from './candidates/label-candidates.js';
import type { Sought } from './candidates/label-candidates.js';
import { Collector } from './collector.js';
import type { Conventions } from './conventions.js';
import { LabelIndex } from './labels/label-index.js';
import { LEXICON } from './labels/lexicon.js';
import type { Lexicon } from './labels/lexicon.js';
import { ListFinder } from './lists/list-finder.js';
import type { FoundList } from './lists/list-finder.js';
import { PageIndex } from './page-index.js';
import { checkDates, checkTotals } from './resolve/apply-checks.js';
import type { OpenField } from './resolve/apply-checks.js';
import { choose } from './resolve/choose.js';
import { candidatesFor } from './resolve/field-candidates.js';
import type { Proposal } from './rules.types.js';
import { toTargets } from './targets.js';
import { shapeOf } from './values/shape.js';

/**
 * Finds the values of a schema in a document without a model: by labels, by the forms of values, and by what the document
 * proves itself, as quantity × price = amount and net + tax = total. Takes time in proportion to the document, and keeps
 * no page: a document of any length takes bounded memory. Others get their turn between pages.
 * @param pages in their order
 * @param lexicon the builtin words; another one is for trials
 * @returns values with their proofs, in the order of the schema, rows of arrays behind each other. A quote stands on its
 *   page as it is; a field that was not found has none
 * @throws the reason of the signal
 */
export async function extractByRules(
  schema: ExtractionSchema,
  pages: AsyncIterable<PageLayout> | Iterable<PageLayout>,
  signal?: AbortSignal,
  lexicon: Lexicon = LEXICON,
): Promise<Proposal[]> {
  return (await readByRules(schema, pages, signal, { lexicon })).proposals;
}

/** What the rules have found, and how the document writes what is written in several ways. */
export interface RuleReading {
  readonly proposals: Proposal[];
  readonly conventions: Conventions;
}

/** How rules read. */
export interface RuleOptions {
  /** The builtin words; others are for trials. */
  readonly lexicon?: Lexicon;
  /** So many elements of arrays are told at most: of what has more, nobody wants to see them. */
  readonly most?: number;
}

/** As `extractByRules`, with what they have learned of the document. */
export async function readByRules(
  schema: ExtractionSchema,
  pages: AsyncIterable<PageLayout> | Iterable<PageLayout>,
  signal?: AbortSignal,
  { lexicon = LEXICON, most = Number.POSITIVE_INFINITY }: RuleOptions = {},
): Promise<RuleReading> {
  const turn = new CooperativeYield(signal);
  const targets = toTargets(schema, lexicon);
  const sought: Sought[] = targets.values.map((target) => ({ target, shape: shapeOf(target) }));
  const labels = new LabelIndex(targets.values, lexicon);
  const lists = targets.lists.map((list) => new ListFinder(list, lexicon, targets.lists.length));
  const collector = new Collector(lexicon);
  let index = 0;
  for await (const layout of pages) {
    const page = new PageIndex(layout, index);
    const rows = new Set<number>();
    for (const list of lists) for (const line of await turn.finish(list.add(page))) rows.add(line);
    findByLabels(page, labels, sought, (target, candidate) => collector.add(target, candidate), rows);
    await turn.finish(collector.addPage(page, rows));
    index += 1;
  }
  signal?.throwIfAborted();
  const conventions = collector.conventions.decide();
  const fields: OpenField[] = sought.map((field, number) => ({
    ...field,
    candidates: candidatesFor(collector, number, field, conventions),
  }));
  const elements: FoundList[] = [];
  for (const list of lists) elements.push(await turn.finish(list.finish(conventions)));
  const sum = elements.find((list) => list.sum !== undefined)?.sum;
  const { decimal } = conventions;
  const totals = checkTotals(fields, collector.amounts, { decimal, ...(sum === undefined ? {} : { sum }) });
  checkDates(fields);
  const proposals = choose(fields);
  for (const list of elements) {
    for (const proposal of list.proposals(totals?.isSum)) {
      if (proposals.length >= most) break;
      proposals.push(proposal);
      if (turn.isDue) await turn.yield();
    }
  }
  return { proposals, conventions };
}
