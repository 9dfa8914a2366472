/** What can be read. `image` is read by OCR alone. */
export type FileKind = 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'html' | 'markdown' | 'csv' | 'text' | 'image';

/**
 * Why a file, or a page of it, was not read. `interrupted` says nothing of the file: its process was ended from outside,
 * and the file may be tried again.
 */
export type FailureReason =
  | 'encrypted'
  | 'malformed'
  | 'too_large'
  | 'bomb'
  | 'timeout'
  | 'out_of_memory'
  | 'unsupported'
  | 'ocr_missing'
  | 'empty'
  | 'interrupted';

/** A part of a page's text. */
export interface TextBlock {
  readonly kind: 'heading' | 'paragraph' | 'list_item' | 'table' | 'code';
  /** Of a heading from 1 to 6, of a list item from 1; of nothing else. */
  readonly level?: number;
  /** Where it begins in the page's text, in UTF-16 units. */
  readonly start: number;
  /** Behind its last unit. */
  readonly end: number;
}

/** Where on the page a stretch of text stands. */
export interface TextBox {
  readonly start: number;
  readonly end: number;
  /** Left, top, right, bottom; 0–1 of the page as it is shown, from the top left. */
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
  /** 0–1, of text that was recognized. */
  readonly confidence?: number;
}

/**
 * A page, or a piece of what has no pages. The pieces of a file or of a long sheet come one after another, and their
 * texts joined are the whole text. A piece has at most some 100,000 units.
 */
export interface ExtractedPage {
  /** From 1: the page, sheet or slide. Undefined: the format has no pages. */
  readonly number?: number;
  /** Of a sheet, a slide or a web page. */
  readonly title?: string;
  readonly origin: 'text' | 'ocr';
  /** Without control characters, but tabs and line breaks, and without halves of surrogate pairs. */
  readonly text: string;
  /** In the order of the text; they do not overlap. */
  readonly blocks: readonly TextBlock[];
  /** Of PDF files (a stretch of a line each, without wide gaps) and of recognized text (a word each). */
  readonly boxes?: readonly TextBox[];
  /** The width of a page with boxes, by its height. */
  readonly aspect?: number;
  /** The charset that was assumed, of the first piece of a text that does not tell its own; as TextDecoder names it. */
  readonly assumedCharset?: string;
  /** It has little text and large pictures, which could not be read without programs for OCR. */
  readonly isUnrecognized?: boolean;
  /** Why this page could not be read, though others can. Its text is empty then. */
  readonly failed?: FailureReason;
}

/** Programs for OCR, by their absolute paths. */
export interface OcrPrograms {
  readonly tesseract: string;
  /** Undefined: scanned pages of PDF files cannot be read, images can. */
  readonly pdftoppm?: string;
  /** Of the same package: there where pdftoppm is. */
  readonly pdfimages?: string;
  /** As tesseract takes them, such as `eng+deu`. */
  readonly languages: string;
}

/** One file, as the child is told of it. */
export interface ExtractionTask {
  readonly kind: FileKind;
  /** The largest file that is kept in memory as a whole, as all but text formats must be. */
  readonly wholeFileBytes: number;
  readonly ocr?: OcrPrograms;
}
