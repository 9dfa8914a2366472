import type { Heading, Nodes, Paragraph, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { hasLetters, plainText } from '../formats/inline-parts.js';
import { toMarkedText } from '../formats/marked-text.js';
import { replaceUnit, textFormat } from '../formats/splices.js';
import type { TextUnit } from '../formats/splices.js';
import { inlinePieces } from './inline-pieces.js';
import { cellsOf, tableStart } from './table-cells.js';
import { writeInline } from './write-inline.js';

/** How deep quotes and lists may lie in one another; what lies deeper is left as it is. */
const DEPTH = 32;

/** YAML between dashes, or TOML between plus signs. */
const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\r?\n[^]*?\r?\n\1[ \t]*(?:\r?\n|$)/;

/** More marks of quotes or lists than this before a text. */
const DEEP_LINE = new RegExp(`^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])){${DEPTH},}.*$`, 'gm');

const LABEL = /\[([^[\]]{1,200})\]/g;

/** What a task list, an alert and a footnote begin with. */
const TASK = /^(?:\[[ xX]\]\s+|\[![A-Z]+\]\s+|\[\^[^\]\s]{1,200}\]:\s*)/;
const TASK_CHARACTERS = 220;
/** Before the line with which another footnote begins, right behind a line of text. */
const NEXT_FOOTNOTE = /(?<=\n)(?=[ \t>]{0,8}\[\^[^\]\s]{1,200}\]:)/;

/** CommonMark with tables: headings, paragraphs and cells; code, addresses, HTML and front matter are what they were. */
export const markdown = textFormat(async function* readMarkdown(text, edit) {
  for (const unit of blockUnits(text)) {
    if (!hasLetters(plainText(unit.unit))) continue;
    const splice = await replaceUnit(unit, edit);
    if (splice) yield splice;
  }
});

/** @param known labels of links that are defined around the text */
function* blockUnits(text: string, known: ReadonlySet<string> = new Set()): Generator<TextUnit, void, undefined> {
  const skipped = FRONT_MATTER.exec(text)?.[0].length ?? 0;
  const rest = text.slice(skipped).replace(DEEP_LINE, (line) => 'x'.repeat(line.length));
  const root: Root = fromMarkdown(rest + definitionsFor(rest, known));
  const labels = known.size > 0 ? known : new Set(labelsOf(root));
  for (const block of textBlocks(root)) {
    const start = (block.position?.start.offset ?? 0) + skipped;
    const end = (block.position?.end.offset ?? 0) + skipped;
    const raw = text.slice(start, end);
    if (rest.slice(start - skipped, end - skipped) !== raw) continue;
    const table = block.type === 'paragraph' ? tableStart(raw) : undefined;
    const notes = raw.split(NEXT_FOOTNOTE);
    if (table !== undefined) {
      if (table > 0) yield* moved(blockUnits(raw.slice(0, table), labels), start);
      yield* cellUnits(raw.slice(table), start + table, labels);
    } else if (notes.length > 1) {
      let from = start;
      for (const note of notes) {
        yield* moved(blockUnits(note, labels), from);
        from += note.length;
      }
    } else yield* blockUnit(block, { text, skipped, isHeading: block.type === 'heading' });
  }
}

function* moved(units: Iterable<TextUnit>, by: number): Generator<TextUnit, void, undefined> {
  for (const unit of units) yield { ...unit, start: unit.start + by, end: unit.end + by };
}

function* textBlocks(node: Nodes): Generator<Paragraph | Heading, void, undefined> {
  if (node.type === 'paragraph' || node.type === 'heading') yield node;
  else if ('children' in node) for (const child of node.children) yield* textBlocks(child);
}

interface BlockPlace {
  readonly text: string;
  readonly skipped: number;
  readonly isHeading: boolean;
}

function* blockUnit(
  { children }: Paragraph | Heading,
  { text, skipped, isHeading }: BlockPlace,
): Generator<TextUnit, void, undefined> {
  const [first, last] = [children[0], children.at(-1)];
  if (!first || !last) return;
  const start = (first.position?.start.offset ?? 0) + skipped;
  const end = (last.position?.end.offset ?? 0) + skipped;
  const task = TASK.exec(text.slice(start, start + TASK_CHARACTERS))?.[0].length ?? 0;
  const marked = toMarkedText(inlinePieces(children, { text, skipped, task }));
  const write = (translation: typeof marked.unit) =>
    writeInline(translation, marked, { isCell: false, isLineStart: !isHeading && task === 0 });
  yield { start: start + task, end, unit: marked.unit, write };
}

/** The labels of links that are defined somewhere in a text. */
function* labelsOf(node: Nodes): Generator<string, void, undefined> {
  if (node.type === 'definition') yield node.identifier;
  else if ('children' in node) for (const child of node.children) yield* labelsOf(child);
}

/** The cells of a table, each by itself. @param labels of links that are defined elsewhere in the text */
function* cellUnits(table: string, offset: number, labels: ReadonlySet<string>): Generator<TextUnit, void, undefined> {
  for (const { start, end } of cellsOf(table)) {
    const cell = table.slice(start, end);
    const { children } = fromMarkdown(cell + definitionsFor(cell, labels));
    const [block, ...others] = children;
    if (block?.type !== 'paragraph' || others.some(({ type }) => type !== 'definition')) continue;
    const marked = toMarkedText(inlinePieces(block.children, { text: cell, skipped: 0, task: 0 }));
    const write = (translation: typeof marked.unit) =>
      writeInline(translation, marked, { isCell: true, isLineStart: false });
    yield { start: offset + start, end: offset + end, unit: marked.unit, write };
  }
}

/** Without its definition a link in a cell would be brackets. */
function definitionsFor(cell: string, labels: ReadonlySet<string>): string {
  if (labels.size === 0) return '';
  const found = Array.from(cell.matchAll(LABEL), ([, label = '']) => label).filter((label) =>
    labels.has(label.trim().replaceAll(/\s+/g, ' ').toLowerCase()),
  );
  return found.map((label) => `\n\n[${label}]: x`).join('');
}
