import { Parser } from 'htmlparser2';
import type { Handler } from 'htmlparser2';
import { ExtractionFailed } from '../extraction-failed.js';
import type { TextBlock } from '../extraction.types.js';
import { LIMITS } from '../limits.js';
import { PieceWriter } from '../piece-writer.js';
import type { FormatReader } from '../read-file.js';
import { TableReader } from '../tables/table-reader.js';
import { decodeText } from './text-decoding.js';

/** What nobody sees, or is not of the page. */
const INVISIBLE = new Set('title script style template noscript iframe object embed head datalist'.split(' '));

/** What begins and ends a paragraph. */
const BLOCKS = new Set(
  'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form header hgroup hr html legend main menu nav ol option p section select summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);

const HEADING = /^h([1-6])$/;

const HIDDEN_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** The most rows that a cell may span. */
const MOST_ROWS = 65_534;

/** So much of a file is parsed at once: between two of such slices its pieces are given. */
const SLICE = 64 * 1024;

/** A web page: what a reader sees of it. Nothing of it is executed or loaded. */
export const readHtml: FormatReader = async (file, pages) => {
  const writer = new PieceWriter(pages);
  const page = new HtmlText(writer);
  const parser = new Parser(page, { decodeEntities: true });
  for await (const text of decodeText(file.chunks(), { isHtml: true, onGuess: pages.assume })) {
    for (let start = 0; start < text.length; start += SLICE) {
      parser.write(text.slice(start, start + SLICE));
      await writer.flush();
    }
  }
  parser.end();
  page.end();
  await writer.end();
};

/** Makes blocks of the events of a parser. */
class HtmlText implements Partial<Handler> {
  private readonly writer: PieceWriter;
  private depth = 0;
  /** The depth of the invisible element that is open; 0: none. */
  private hiddenDepth = 0;
  private text = '';
  private isTitle = false;
  private title = '';
  private lists = 0;
  private preformatted = 0;
  /** The block quotes in one another that are open. */
  private quoted = 0;
  private kind: TextBlock['kind'] = 'paragraph';
  private level: number | undefined;
  private readonly tables: TableReader;
  private isTableHead = false;

  constructor(writer: PieceWriter) {
    this.writer = writer;
    this.tables = new TableReader(writer);
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    this.depth += 1;
    if (this.depth > LIMITS.htmlDepth) throw new ExtractionFailed('bomb');
    if (name === 'title' && this.title === '') this.isTitle = true;
    if (this.hiddenDepth > 0) return;
    if (INVISIBLE.has(name) || 'hidden' in attributes || HIDDEN_STYLE.test(attributes['style'] ?? '')) {
      this.hiddenDepth = this.depth;
    } else this.open(name, attributes);
  }

  onclosetag(name: string): void {
    this.depth -= 1;
    if (name === 'title') {
      this.isTitle = false;
      this.writer.head = { title: this.title.replace(/\s+/g, ' ').trim() || undefined };
    }
    if (this.hiddenDepth === 0) this.close(name);
    else if (this.depth < this.hiddenDepth) this.hiddenDepth = 0;
  }

  ontext(text: string): void {
    if (this.isTitle && this.title.length < 1_000) this.title += text;
    if (this.hiddenDepth > 0) return;
    if (this.tables.depth > 0) return this.tables.write(text);
    this.text += text;
    // A paragraph without end is written in parts.
    if (this.text.length > LIMITS.pieceCharacters) this.finish();
  }

  end(): void {
    this.finish();
    this.tables.end();
  }

  private open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.isQuotationInLine(name)) this.ontext('“');
    if (this.tables.depth > 0) return this.openInTable(name, attributes);
    const heading = HEADING.exec(name);
    if (isBlock(name)) this.finish();
    if (name === 'blockquote') this.quote(1);
    if (heading) [this.kind, this.level] = ['heading', Number(heading[1])];
    else if (name === 'ul' || name === 'ol' || name === 'menu') this.lists += 1;
    else if (name === 'li') [this.kind, this.level] = ['list_item', Math.max(1, this.lists)];
    else if (name === 'pre') this.preformatted += 1;
    else if (name === 'table') this.tables.openTable();
  }

  private close(name: string): void {
    if (this.isQuotationInLine(name)) this.ontext('”');
    if (this.tables.depth > 0) return this.closeInTable(name);
    if (isBlock(name)) this.finish();
    if (name === 'blockquote') this.quote(-1);
    if (HEADING.test(name) || name === 'li') this.endKind();
    if (name === 'ul' || name === 'ol' || name === 'menu') this.lists = Math.max(0, this.lists - 1);
    else if (name === 'pre') this.preformatted = Math.max(0, this.preformatted - 1);
  }

  private quote(change: number): void {
    this.quoted = Math.max(0, this.quoted + change);
    this.writer.isQuoted = this.quoted > 0;
  }

  /** A cell has no lines of its own that could be marked. */
  private isQuotationInLine(name: string): boolean {
    return name === 'q' || (name === 'blockquote' && this.tables.depth > 0);
  }

  private openInTable(name: string, { colspan, rowspan }: Readonly<Record<string, string>>): void {
    if (name === 'table') this.tables.openTable();
    else if (name === 'thead') this.isTableHead = true;
    else if (name === 'tr') this.tables.openRow({ isHeader: true });
    else if (name === 'td' || name === 'th') {
      if (name === 'td' && !this.isTableHead) this.tables.set({ isHeader: false });
      this.tables.openCell({ columns: spanOf(colspan), rows: spanOf(rowspan) || MOST_ROWS });
    } else if (isBlock(name)) this.tables.write(' ');
  }

  private closeInTable(name: string): void {
    if (name === 'table') this.tables.closeTable();
    else if (name === 'td' || name === 'th') this.tables.closeCell();
    else if (name === 'tr') this.tables.closeRow();
    else if (name === 'thead' || name === 'tbody' || name === 'tfoot') this.tables.endRowGroup();
    else if (isBlock(name)) this.tables.write(' ');
    if (name === 'thead') this.isTableHead = false;
  }

  /** Writes the block that is open; what follows is a paragraph again. */
  private finish(): void {
    const text = this.preformatted > 0 ? this.text : this.text.replace(/\s+/g, ' ');
    this.text = '';
    this.writer.add(this.preformatted > 0 ? 'code' : this.kind, text, this.level);
    if (text.trim() !== '') this.endKind();
  }

  private endKind(): void {
    this.kind = 'paragraph';
    this.level = undefined;
  }
}

function isBlock(name: string): boolean {
  return BLOCKS.has(name) || HEADING.test(name) || name === 'li' || name === 'pre';
}

/** How many columns or rows a cell spans; 0: all rows of its group. */
function spanOf(attribute = '1'): number {
  const span = Number.parseInt(attribute, 10);
  return span >= 0 ? span : 1;
}
