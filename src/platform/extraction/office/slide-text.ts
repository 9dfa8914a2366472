import { ExtractionFailed } from '../extraction-failed.js';
import { LIMITS } from '../limits.js';
import type { PieceWriter } from '../piece-writer.js';
import { TableReader } from '../tables/table-reader.js';
import type { Attributes, XmlHandler } from './xml-reader.js';

/** Placeholders whose text is the same on every slide. */
const REPEATED = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

/** Placeholders whose paragraphs have bullets unless they say otherwise. */
const BULLETED = new Set(['body', 'obj']);

/** Makes blocks of a slide, or of its notes. */
export class SlideText implements XmlHandler {
  /** Of the slide. */
  title: string | undefined;
  private readonly writer: PieceWriter;
  private readonly isNotes: boolean;
  private readonly tables: TableReader;
  /** The type of the placeholder that a shape fills; undefined: none. */
  private placeholder: string | undefined;
  private isText = false;
  private level = 0;
  private bullet: boolean | undefined;
  private written = '';

  constructor(writer: PieceWriter, of: 'slide' | 'notes') {
    this.writer = writer;
    this.isNotes = of === 'notes';
    this.tables = new TableReader(writer);
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'sp') this.placeholder = undefined;
    else if (name === 'ph') this.placeholder = attributes['type'] ?? 'obj';
    else if (name === 't') this.isText = true;
    else if (name === 'br' || name === 'tab') this.written += ' ';
    else if (name === 'p') [this.level, this.bullet] = [0, undefined];
    else if (name === 'pPr') this.level = /^\d$/.test(attributes['lvl'] ?? '') ? Number(attributes['lvl']) : 0;
    else if (name === 'buNone') this.bullet = false;
    else if (name === 'buChar' || name === 'buAutoNum') this.bullet = true;
    else if (name === 'tbl') this.tables.openTable();
    else if (name === 'tr') this.tables.openRow();
    else if (name === 'tc') this.openCell(attributes);
  }

  close(name: string): void {
    if (name === 't') this.isText = false;
    else if (name === 'p') this.endParagraph();
    else if (name === 'tc') this.tables.closeCell();
    else if (name === 'tr') this.tables.closeRow();
    else if (name === 'tbl') this.tables.closeTable();
  }

  text(text: string): void {
    if (!this.isText) return;
    this.written += text;
    if (this.written.length > LIMITS.pageCharacters) throw new ExtractionFailed('too_large');
  }

  /** What a cell spans is there as cells of its own, too, which say that they are merged. */
  private openCell({ hMerge, vMerge, gridSpan = '1', rowSpan = '1' }: Attributes): void {
    const isMerged = [hMerge, vMerge].some((flag) => flag === '1' || flag === 'true');
    if (!isMerged) this.tables.openCell({ columns: Number(gridSpan), rows: Number(rowSpan) });
  }

  private endParagraph(): void {
    const text = this.written;
    this.written = '';
    const { placeholder = '' } = this;
    if (this.tables.depth > 0) this.tables.write(`${text} `);
    else if (REPEATED.has(placeholder)) return;
    else if (!this.isNotes && (placeholder === 'title' || placeholder === 'ctrTitle')) {
      this.title ??= text;
      this.writer.add('heading', text, 1);
    } else if (this.bullet ?? (BULLETED.has(placeholder) && !this.isNotes)) {
      this.writer.add('list_item', text, this.level + 1);
    } else this.writer.add('paragraph', text);
  }
}
