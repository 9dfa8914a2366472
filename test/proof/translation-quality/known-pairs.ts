import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which way a sentence is translated. */
export const DIRECTIONS = [
  { source: 'en', target: 'es', mode: 'eng-spa' },
  { source: 'es', target: 'en', mode: 'spa-eng' },
] as const;
/** One of them. */
export type Direction = (typeof DIRECTIONS)[number];

/** A sentence in English and in Spanish. */
export interface KnownPair {
  readonly en: string;
  readonly es: string;
  readonly format: 'text' | 'html';
}

/** 70 sentences of words alone, and 30 with placeholders, tags, numbers and addresses. */
export function readPairs() {
  return { plain: readFile('pairs.tsv'), marked: readFile('marked-pairs.tsv') };
}

function readFile(name: string): KnownPair[] {
  const lines = readFileSync(join(import.meta.dirname, name), 'utf8')
    .split('\n')
    .filter(Boolean);
  return lines.map((line) => {
    const [en = '', es = ''] = line.split('\t');
    return { en, es, format: en.startsWith('<') ? 'html' : 'text' };
  });
}
