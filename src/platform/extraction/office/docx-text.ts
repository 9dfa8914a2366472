import { ExtractionFailed } from '../extraction-failed.js';
import { LIMITS } from '../limits.js';
import type { PieceWriter } from '../piece-writer.js';
import { TableWriter } from '../table-writer.js';
import type { ParagraphStyle } from './docx-styles.js';
import type { Attributes, XmlHandler } from './xml-reader.js';

/** What is not of the text: what was deleted or moved away, and the second form of what is there in two. */
const SKIPPED = new Set(['Fallback', 'del', 'moveFrom', 'instrText', 'delText']);

/** Makes blocks of a part of a Word document. */
export class DocxText implements XmlHandler {
  private readonly writer: PieceWriter;
  private readonly styles: ReadonlyMap<string, ParagraphStyle>;
  private depth = 0;
  /** The depth of the element that is skipped; 0: none. */
  private skippedDepth = 0;
  private isText = false;
  private isVanished = false;
  private written = '';
  private style: ParagraphStyle | undefined;
  private outline: number | undefined;
  /** Of a list item from 1; 0: it was said that it is none. */
  private list: number | undefined;
  private listLevel = 1;
  private tables = 0;
  private table: TableWriter | undefined;
  private cells: string[] = [];
  private cell = '';

  constructor(writer: PieceWriter, styles: ReadonlyMap<string, ParagraphStyle>) {
    this.writer = writer;
    this.styles = styles;
  }

  open(name: string, attributes: Attributes): void {
    this.depth += 1;
    if (this.skippedDepth > 0) return;
    if (SKIPPED.has(name)) this.skippedDepth = this.depth;
    else this.openVisible(name, attributes);
  }

  close(name: string): void {
    this.depth -= 1;
    if (this.skippedDepth > 0) {
      if (this.depth < this.skippedDepth) this.skippedDepth = 0;
    } else if (name === 't') this.isText = false;
    else if (name === 'r') this.isVanished = false;
    else if (name === 'p') this.endParagraph();
    else if (this.tables > 0) this.closeInTable(name);
  }

  text(text: string): void {
    if (!this.isText || this.isVanished || this.skippedDepth > 0) return;
    this.written += text;
    if (this.written.length > LIMITS.pageCharacters) throw new ExtractionFailed('too_large');
  }

  pause(): Promise<void> {
    return this.writer.flush();
  }

  end(): void {
    this.endParagraph();
  }

  private openVisible(name: string, { val = '', id = '', type }: Attributes): void {
    if (name === 't') this.isText = true;
    else if (name === 'vanish') this.isVanished = val !== '0' && val !== 'false';
    else if (name === 'tab' || name === 'br' || name === 'cr') this.written += ' ';
    else if (name === 'noBreakHyphen') this.written += '-';
    else if (name === 'p') this.beginParagraph();
    else if (name === 'pStyle') this.style = this.styles.get(val);
    else if (name === 'outlineLvl') this.outline = /^[0-5]$/.test(val) ? Number(val) + 1 : undefined;
    else if (name === 'ilvl') this.listLevel = /^\d$/.test(val) ? Number(val) + 1 : 1;
    else if (name === 'numId') this.list = val === '0' ? 0 : 1;
    else if (name === 'footnoteReference' || name === 'endnoteReference') this.written += `[${id}]`;
    // The lines between notes and text are notes, too, of a type.
    else if ((name === 'footnote' || name === 'endnote') && type === undefined) this.written = `[${id}] `;
    else if (name === 'tbl') {
      this.tables += 1;
      this.table ??= new TableWriter(this.writer);
    }
  }

  private closeInTable(name: string): void {
    if (name === 'tbl') this.tables -= 1;
    if (this.tables > 1) return;
    if (name === 'tc') {
      this.cells.push(this.cell);
      this.cell = '';
    } else if (name === 'tr') {
      this.table?.row(this.cells);
      this.cells = [];
    } else if (this.tables === 0) {
      this.table?.end();
      this.table = undefined;
    }
  }

  private beginParagraph(): void {
    // A text box stands within a paragraph: what was written before it is one of its own.
    if (!/^\[\d+\] $/.test(this.written)) this.endParagraph();
    this.style = this.outline = this.list = undefined;
    this.listLevel = 1;
  }

  private endParagraph(): void {
    const text = this.written;
    this.written = '';
    if (this.tables > 0) {
      if (text !== '') this.cell += `${text} `;
      if (this.cell.length > LIMITS.pageCharacters) throw new ExtractionFailed('too_large');
      return;
    }
    const heading = this.outline ?? this.style?.heading;
    const isList = this.list === undefined ? this.style?.isList === true : this.list > 0;
    if (heading !== undefined) this.writer.add('heading', text, heading);
    else if (isList) this.writer.add('list_item', text, this.listLevel);
    else this.writer.add('paragraph', text);
  }
}
