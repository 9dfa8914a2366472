import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { TextBlock } from '../extraction.types.js';
import type { FormatReader } from '../read-file.js';
import { decodeText } from './text-decoding.js';
import { textPieces } from './text-pieces.js';

/** How deep quotes and lists may lie in one another; what lies deeper is one paragraph. */
const DEPTH = 32;

/** Only blocks matter here, and what may stand in a line costs most, with hostile texts very much. */
const INLINE = [
  'attention',
  'autolink',
  'characterEscape',
  'characterReference',
  'codeText',
  'hardBreakEscape',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
];

const FRONT_MATTER = /^---[ \t]*\r?\n[^]*?\r?\n---[ \t]*(?:\r?\n|$)/;

const TABLE_RULE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** More marks of quotes or lists than this before a text: its line is not read as CommonMark. */
const DEEP_LINE = new RegExp(`^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])){${DEPTH},}.*$`, 'gm');

/** Markdown as it is written, with the blocks that CommonMark finds in it, and tables. */
export const readMarkdown: FormatReader = async (file, pages) => {
  let isFirst = true;
  let fence = new Fence();
  for await (const text of textPieces(decodeText(file.chunks(), { onGuess: pages.assume }), () => fence.copy())) {
    const blocks: TextBlock[] = [];
    const front = isFirst ? (FRONT_MATTER.exec(text)?.[0].length ?? 0) : fence.endIn(text);
    if (front > 0) blocks.push({ kind: 'code', start: 0, end: text.slice(0, front).trimEnd().length });
    addBlocks(blocks, text, front);
    await pages.give({ origin: 'text', text, blocks });
    fence = fence.after(text);
    isFirst = false;
  }
};

function addBlocks(blocks: TextBlock[], text: string, start: number): void {
  const rest = text.slice(start).replace(DEEP_LINE, (line) => 'x'.repeat(line.length));
  const root: Root = fromMarkdown(rest, { extensions: [{ disable: { null: INLINE } }] });
  addNode(root, 0);

  function addNode(node: Nodes, level: number): void {
    const from = (node.position?.start.offset ?? 0) + start;
    const to = (node.position?.end.offset ?? 0) + start;
    if (node.type === 'heading') add('heading', from, to, node.depth);
    else if (node.type === 'code') add('code', from, to);
    else if (node.type === 'paragraph')
      add(level > 0 ? 'list_item' : isTable(text.slice(from, to)) ? 'table' : 'paragraph', from, to, level);
    else if (node.type === 'html') add('paragraph', from, to);
    else if ('children' in node) {
      for (const child of node.children) addNode(child, level + (node.type === 'list' ? 1 : 0));
    }
  }

  function add(kind: TextBlock['kind'], from: number, to: number, level = 0): void {
    if (to > from) blocks.push({ kind, ...(level > 0 ? { level } : {}), start: from, end: to });
  }
}

function isTable(text: string): boolean {
  const [first = '', rule = ''] = text.split(/\r?\n/, 2);
  return first.includes('|') && rule.includes('-') && rule.length < 1_000 && TABLE_RULE.test(rule);
}

/** Whether lines stand in a fenced block of code. */
class Fence {
  private mark: string | undefined;

  /** Told every line; whether what follows it stands in the block. */
  readonly line = (line: string): boolean => {
    const [, mark = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (mark === '') return this.mark !== undefined;
    if (this.mark === undefined) this.mark = mark;
    else if (mark.startsWith(this.mark) && rest.trim() === '') this.mark = undefined;
    return this.mark !== undefined;
  };

  copy(): (line: string) => boolean {
    return this.copied().line;
  }

  /** As it is behind this text. */
  after(text: string): Fence {
    const fence = this.copied();
    for (const line of text.split('\n')) fence.line(line.trimEnd());
    return fence;
  }

  /** Where in this text the block ends that it begins in; 0 where it begins in none. */
  endIn(text: string): number {
    if (this.mark === undefined) return 0;
    const fence = this.copied();
    let start = 0;
    for (const line of text.split('\n')) {
      start += line.length + 1;
      if (!fence.line(line.trimEnd())) return Math.min(start, text.length);
    }
    return text.length;
  }

  private copied(): Fence {
    const fence = new Fence();
    fence.mark = this.mark;
    return fence;
  }
}
