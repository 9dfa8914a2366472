/** What the elements of a kind of XML part mean, by their names without prefixes. */
export interface Dialect {
  /** What is translated as a whole. */
  readonly paragraphs: ReadonlySet<string>;
  /** Characters stand in the paragraph itself, too. */
  readonly hasDirectText: boolean;
  /** White space at the ends of a text has to be declared. */
  readonly declaresSpace: boolean;
  /** Line breaks among its characters are seen. */
  readonly keepsLines: boolean;
}

/** Word's document, headers, footers, notes and comments (ECMA-376 part 1, 17). */
export const WORD: Dialect = {
  paragraphs: new Set(['p']),
  hasDirectText: false,
  declaresSpace: true,
  keepsLines: false,
};

/** Slides, their notes, and drawings of a workbook (21.1). */
export const DRAWING: Dialect = { ...WORD, declaresSpace: false };

/** Comments on slides, the older and the newer ones. */
export const SLIDE_COMMENTS: Dialect = {
  paragraphs: new Set(['p', 'text']),
  hasDirectText: true,
  declaresSpace: false,
  keepsLines: true,
};

/** Shared strings, inline strings and comments of a workbook (18). */
export const SHEET: Dialect = {
  paragraphs: new Set(['si', 'is', 'text']),
  hasDirectText: false,
  declaresSpace: true,
  keepsLines: true,
};

/** Comments of a workbook that have answers. */
export const THREADED_COMMENTS: Dialect = { ...SLIDE_COMMENTS, paragraphs: new Set(['text']) };

/** Elements of a paragraph whose content is translated where it stands. */
export const GROUPS = new Set(['hyperlink', 'ins', 'moveTo', 'smartTag', 'sdt', 'customXml', 'dir', 'bdo']);

/** Elements that nobody sees where they stand. */
export const HIDDEN = new Set([
  'annotationRef',
  'bookmarkEnd',
  'bookmarkStart',
  'commentRangeEnd',
  'commentRangeStart',
  'commentReference',
  'del',
  'delText',
  'endParaRPr',
  'endnoteRef',
  'footnoteRef',
  'lastRenderedPageBreak',
  'moveFrom',
  'moveFromRangeEnd',
  'moveFromRangeStart',
  'moveToRangeEnd',
  'moveToRangeStart',
  'pPr',
  'permEnd',
  'permStart',
  'phoneticPr',
  'proofErr',
  'rPh',
]);

/** Those of them that belong behind the text that is before them. */
export const HIDDEN_ENDS = new Set([
  'bookmarkEnd',
  'commentRangeEnd',
  'commentReference',
  'endParaRPr',
  'moveFromRangeEnd',
  'moveToRangeEnd',
  'permEnd',
]);

/** What people read in the place of elements that words go on around; others keep apart what stands on both sides. */
export const READ_AS: ReadonlyMap<string, string> = new Map([
  ['noBreakHyphen', '-'],
  ['softHyphen', ''],
  ['footnoteReference', ''],
  ['endnoteReference', ''],
]);
