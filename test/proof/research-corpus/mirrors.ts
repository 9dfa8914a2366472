import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Corpus, CorpusPage } from './corpus.js';

/** A copy of a page that says otherwise in one place. */
export interface Mirror {
  readonly page: string;
  /** What stands there once. */
  readonly words: string;
  /** The same with another number, or without its negation. */
  readonly changed: string;
  /** About that fact. */
  readonly question: string;
}

const WORD = /[^\s]+/g;
/** What may stand between two words of a page. */
const BETWEEN = '(?:\\s|<[^>]*>)+';

/** Reads the 20 mirrors. */
export function readMirrors(): Mirror[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'mirrors.json'), 'utf8')) as Mirror[];
}

/** The page of a mirror with its change. @throws Error where its words do not stand there once */
export function changedPage({ pages }: Corpus, { page: path, words, changed }: Mirror): CorpusPage {
  const page = pages.find((one) => one.path === path);
  const [found, ...more] = page?.html.matchAll(patternOf(words)) ?? [];
  if (!page || !found || more.length > 0) throw new Error(`${path} does not say once: ${words}`);
  const html = page.html.slice(0, found.index) + changed + page.html.slice(found.index + found[0].length);
  return { ...page, html, text: page.text.replace(words, changed) };
}

function patternOf(words: string): RegExp {
  const parts = (words.match(WORD) ?? []).map((word) => word.replaceAll(/[^\w]/g, (sign) => `\\${sign}`));
  return new RegExp(parts.join(BETWEEN), 'g');
}
