import type { Random } from '../../../crash/random.js';
import type { SetDocument } from '../set/document.types.js';
import { makeScan, QUALITIES } from './make-scan.js';
import type { ScanQuality } from './make-scan.js';

/** Documents of more pages are not scanned: they would take most of the time. */
const MOST_PAGES = 2;

/** Whether a document of the set is scanned: one of so many. */
export function isScanned(document: SetDocument, index: number, every: number): boolean {
  const pages = Math.max(...[...document.truth.values()].map(({ page = 1 }) => page));
  return index % every === 0 && pages <= MOST_PAGES;
}

/** One document in each of the qualities. */
export async function* scansOf(
  document: SetDocument,
  random: Random,
  pdftoppm: string,
): AsyncGenerator<{ readonly scan: SetDocument; readonly quality: ScanQuality }> {
  for (const quality of QUALITIES) yield { scan: await makeScan(document, quality, random, pdftoppm), quality };
}
