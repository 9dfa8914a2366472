import { Parser } from 'htmlparser2';
import { PAGE_LIMITS } from './web-page.types.js';

/** What is known of a page before a tree is made of it. */
export interface PageMeasure {
  /** It has so many elements, or so deep ones, that a tree of them costs too much. */
  readonly isTooMuch: boolean;
  /** What its root says of its language. */
  readonly lang: string | undefined;
}

/** A bound was reached: nothing more is read. */
class BoundReached extends Error {}

/** Counts the elements of a page as they come, and stops at the first bound that it breaks. */
export function measurePage(html: string): PageMeasure {
  let [depth, elements, attributes] = [0, 0, 0];
  let lang: string | undefined;
  const refuseBeyond = (count: number, most: number): void => {
    if (count > most) throw new BoundReached();
  };
  const parser = new Parser({
    onopentagname: () => {
      attributes = 0;
      refuseBeyond((depth += 1), PAGE_LIMITS.depth);
      refuseBeyond((elements += 1), PAGE_LIMITS.elements);
    },
    onattribute: () => refuseBeyond((attributes += 1), PAGE_LIMITS.attributes),
    onopentag: (name, given) => {
      if (name === 'html') lang ??= given['lang'] ?? given['xml:lang'];
    },
    onclosetag: () => {
      depth -= 1;
    },
  });
  try {
    parser.end(html);
    return { isTooMuch: false, lang };
  } catch (error) {
    if (error instanceof BoundReached) return { isTooMuch: true, lang };
    throw error;
  }
}
