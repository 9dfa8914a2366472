import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitInHalves } from '../halves.js';
import type { Half } from '../halves.js';

/** What texts there are: whole sentences, two to four words, and what is in no language. */
export const LENGTHS = ['sentences', 'short', 'junk'] as const;
/** One of them. */
export type Length = (typeof LENGTHS)[number];

/** A text whose language is known. */
export interface KnownText {
  readonly text: string;
  /** BCP 47; undefined for junk. */
  readonly language: string | undefined;
  readonly length: Length;
  /** Of junk: what it is. */
  readonly sort: string;
  readonly half: Half;
}

type Texts = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** All texts, half of each language and sort held out. */
export function readKnownTexts(): KnownText[] {
  const file = join(import.meta.dirname, 'texts.json');
  const { junk = {}, ...languages } = JSON.parse(readFileSync(file, 'utf8')) as Texts;
  const texts = Object.entries({ ...languages, junk }).flatMap(([key, sorts]) =>
    Object.entries(sorts).flatMap(([sort, some]) =>
      some.map((question) => ({ question, language: key === 'junk' ? undefined : key, sort })),
    ),
  );
  return splitInHalves(texts, ({ language, sort }) => `${language} ${sort}`).map(
    ({ question: text, language, sort, half }) => ({ text, language, sort, half, length: lengthOf(language, sort) }),
  );
}

function lengthOf(language: string | undefined, sort: string): Length {
  return language === undefined ? 'junk' : sort === 'short' ? 'short' : 'sentences';
}
