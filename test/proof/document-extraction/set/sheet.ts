import PDFDocument from 'pdfkit';
import type { TrueValue } from './document.types.js';

/** How a text is written. */
export interface TextStyle {
  readonly size?: number;
  readonly bold?: boolean;
  /** From where it is written: to the right, to the left, or on both sides. */
  readonly align?: 'left' | 'right' | 'center';
  readonly font?: FontFamily;
}

/** The fonts that every reader of PDF files has. */
export type FontFamily = 'Helvetica' | 'Times' | 'Courier';

/** A part of a text that is the value of a field. */
export interface ValuePart {
  readonly path: string;
  readonly value: TrueValue['value'];
}

const NAMES: Readonly<Record<FontFamily, readonly [plain: string, bold: string]>> = {
  Helvetica: ['Helvetica', 'Helvetica-Bold'],
  Times: ['Times-Roman', 'Times-Bold'],
  Courier: ['Courier', 'Courier-Bold'],
};

/** How far letters reach above and below their line, in parts of their size. */
const LETTER_HEIGHT = 0.925;

/** The size of a page of A4, in points. */
export const PAGE = { width: 595.28, height: 841.89 } as const;

/** Pages that are written line by line, and what is written where. */
export class Sheet {
  readonly truth = new Map<string, TrueValue>();
  private readonly document = new PDFDocument({ autoFirstPage: false, margin: 0, size: 'A4' });
  private readonly chunks: Buffer[] = [];
  private pages = 0;

  constructor(private readonly font: FontFamily) {
    this.document.on('data', (chunk: Buffer) => this.chunks.push(chunk));
    this.addPage();
  }

  get page(): number {
    return this.pages;
  }

  addPage(): void {
    this.document.addPage();
    this.pages += 1;
  }

  /** Writes a line. @param parts its pieces, those that are values with their paths @returns its width, in points */
  line(
    x: number,
    y: number,
    parts: readonly (string | (ValuePart & { readonly text: string }))[],
    style: TextStyle = {},
  ): number {
    const { size = 10, bold = false, align = 'left', font = this.font } = style;
    this.document.font(NAMES[font][bold ? 1 : 0]).fontSize(size);
    const texts = parts.map((part) => (typeof part === 'string' ? part : part.text));
    const whole = texts.join('');
    const width = this.document.widthOfString(whole);
    const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
    this.document.text(whole, left, y, { lineBreak: false });
    for (const [index, part] of parts.entries()) {
      if (typeof part === 'string') continue;
      const from = left + this.document.widthOfString(texts.slice(0, index).join(''));
      this.record(part, from, y, this.document.widthOfString(part.text), size);
    }
    return width;
  }

  /** Says of a value where it stands. */
  private record({ path, value }: ValuePart, left: number, top: number, width: number, size: number): void {
    // What stands on every page is proved by its first place.
    if (this.truth.has(path)) return;
    const box = [
      left / PAGE.width,
      top / PAGE.height,
      (left + width) / PAGE.width,
      (top + size * LETTER_HEIGHT) / PAGE.height,
    ] as const;
    this.truth.set(path, { value, page: this.pages, box });
  }

  /** Writes prose in lines of a width. @returns where the next line would begin */
  prose(
    x: number,
    y: number,
    parts: readonly (string | (ValuePart & { readonly text: string }))[],
    width: number,
    size = 10,
  ): number {
    this.document.font(NAMES[this.font][0]).fontSize(size);
    const words = parts.flatMap((part) => {
      const text = typeof part === 'string' ? part : part.text;
      return text.split(/(?<= )/).map((word) => ({ word, part: typeof part === 'string' ? undefined : part }));
    });
    let [left, top] = [0, y];
    let line: string[] = [];
    const flush = () => {
      this.document.text(line.join('').trimEnd(), x, top, { lineBreak: false });
      [line, left, top] = [[], 0, top + size * 1.35];
    };
    for (const { word, part } of words) {
      const wide = this.document.widthOfString(word.trimEnd());
      if (left + wide > width) flush();
      // A value that goes on in the next line has no box of its own.
      if (part && !this.truth.has(part.path)) this.truth.set(part.path, { value: part.value, page: this.pages });
      line.push(word);
      left += this.document.widthOfString(word);
    }
    if (line.length > 0) flush();
    return top;
  }

  rule(x: number, y: number, width: number, thickness = 0.6): void {
    this.document.rect(x, y, width, thickness).fill('#333333').fillColor('black');
  }

  frame(x: number, y: number, width: number, height: number): void {
    this.document.lineWidth(0.6).rect(x, y, width, height).stroke('#555555');
  }

  shade(x: number, y: number, width: number, height: number): void {
    this.document.rect(x, y, width, height).fill('#e8e8e8').fillColor('black');
  }

  /** The file. */
  async end(): Promise<Buffer> {
    const ended = new Promise((resolve) => this.document.once('end', resolve));
    this.document.end();
    await ended;
    return Buffer.concat(this.chunks);
  }
}
