import type { getDocumentProxy } from 'unpdf';

/** An open PDF file. */
export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** One of its pages. */
export type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;
