import { getDocumentProxy } from 'unpdf';
import { extractByRules } from '../../../../src/documents/rules/extract-by-rules.js';
import type { SetDocument } from '../set/document.types.js';
import { readDocument } from '../set/read-document.js';

/** What a page of a PDF file takes, in milliseconds: its text items alone, and all up to the values. */
export interface PageTimes {
  readonly pages: number;
  readonly items: number;
  readonly reading: number;
  readonly rules: number;
}

/** Measures some documents one after another, each in all ways before the next one. */
export async function measureTimes(documents: readonly SetDocument[]): Promise<PageTimes> {
  const sums = { pages: 0, items: 0, reading: 0, rules: 0 };
  for (const { pdf, schema } of documents) {
    const [, items] = await timed(() => readItems(pdf));
    const [layouts, reading] = await timed(() => readDocument(pdf));
    const [, rules] = await timed(() => extractByRules(schema, layouts));
    sums.pages += layouts.length;
    sums.items += items;
    sums.reading += reading;
    sums.rules += rules;
  }
  const { pages } = sums;
  return { pages, items: sums.items / pages, reading: sums.reading / pages, rules: sums.rules / pages };
}

async function readItems(pdf: Uint8Array): Promise<void> {
  // The library keeps the bytes.
  const document = await getDocumentProxy(new Uint8Array(pdf), { verbosity: 0 });
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    await page.getTextContent();
    page.cleanup();
  }
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  const result = await work();
  return [result, performance.now() - began];
}
