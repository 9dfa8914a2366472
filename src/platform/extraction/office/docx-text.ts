import { ExtractionFailed } from '../extraction-failed.js';
import { LIMITS } from '../limits.js';
import { TableReader } from '../tables/table-reader.js';
import type { BlockSink } from '../tables/table-writer.js';
import type { ParagraphStyle } from './docx-styles.js';
import type { Attributes, XmlHandler } from './xml-reader.js';

/** What is not of the text: what was deleted or moved away, and the second form of what is there in two. */
const SKIPPED = new Set(['Fallback', 'del', 'moveFrom', 'instrText', 'delText']);

/** Of the properties of a row: it was deleted, or is not shown. */
const GONE = new Set(['del', 'moveFrom', 'hidden']);

/** Makes blocks of a part of a Word document. */
export class DocxText implements XmlHandler {
  private readonly writer: BlockSink;
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
  private readonly tables: TableReader;
  private isRowProperty = false;

  constructor(writer: BlockSink, styles: ReadonlyMap<string, ParagraphStyle>) {
    this.writer = writer;
    this.styles = styles;
    this.tables = new TableReader(writer);
  }

  open(name: string, attributes: Attributes): void {
    this.depth += 1;
    if (this.skippedDepth > 0) return;
    // What properties were before they were changed.
    if (name.endsWith('PrChange')) this.skippedDepth = this.depth;
    else if (this.isRowProperty) this.readRowProperty(name, attributes);
    else if (SKIPPED.has(name)) this.skippedDepth = this.depth;
    else this.openVisible(name, attributes);
  }

  close(name: string): void {
    this.depth -= 1;
    if (this.skippedDepth > 0) {
      if (this.depth < this.skippedDepth) this.skippedDepth = 0;
    } else if (name === 't') this.isText = false;
    else if (name === 'r') this.isVanished = false;
    else if (name === 'p') this.endParagraph();
    else if (this.tables.depth > 0) this.closeInTable(name);
  }

  text(text: string): void {
    if (!this.isText || this.isVanished || this.skippedDepth > 0) return;
    this.written += text;
    if (this.written.length > LIMITS.pageCharacters) throw new ExtractionFailed('too_large');
  }

  end(): void {
    this.endParagraph();
    this.tables.end();
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
    else if (name === 'tbl') this.tables.openTable();
    else if (this.tables.depth > 0) this.openInTable(name, val);
  }

  private openInTable(name: string, val: string): void {
    if (name === 'tr') this.tables.openRow();
    else if (name === 'trPr') this.isRowProperty = true;
    else if (name === 'tc') this.tables.openCell();
    else if (name === 'gridSpan') this.tables.setSpan({ columns: Number(val) });
    else if (name === 'vMerge' && val !== 'restart') this.tables.setSpan({ continues: 'above' });
    else if (name === 'hMerge' && val !== 'restart') this.tables.setSpan({ continues: 'left' });
  }

  private readRowProperty(name: string, { val = '' }: Attributes): void {
    const isOn = val !== '0' && val !== 'false';
    if (GONE.has(name) && isOn) this.tables.set({ isDeleted: true });
    else if (name === 'tblHeader') this.tables.set({ isHeader: isOn });
    else if (name === 'gridBefore') {
      this.tables.openCell({ columns: Number(val) });
      this.tables.closeCell();
    }
  }

  private closeInTable(name: string): void {
    if (name === 'tbl') this.tables.closeTable();
    else if (name === 'tr') this.tables.closeRow();
    else if (name === 'trPr') this.isRowProperty = false;
    else if (name === 'tc') this.tables.closeCell();
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
    if (this.tables.depth > 0) return this.tables.write(text === '' ? '' : `${text} `);
    const heading = this.outline ?? this.style?.heading;
    const isList = this.list === undefined ? this.style?.isList === true : this.list > 0;
    if (heading !== undefined) this.writer.add('heading', text, heading);
    else if (isList) this.writer.add('list_item', text, this.listLevel);
    else this.writer.add('paragraph', text);
  }
}
