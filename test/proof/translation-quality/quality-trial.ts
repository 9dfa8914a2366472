import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyJson } from '../../support/probes/any-json.js';
import { chrf } from './chrf.js';
import { countKept, itemsOf, SORTS } from './kept-items.js';
import type { Sort } from './kept-items.js';
import type { Direction, KnownPair } from './known-pairs.js';

/** Sends a body to `POST /v1/translate/text`. @returns the answer. @throws Error where it is refused */
export type TranslateText = (body: object) => Promise<AnyJson>;

/** What came of sentences, by one way. */
export interface Quality {
  readonly chrf: number;
  /** How many items of each sort are kept. */
  readonly kept: Readonly<Record<Sort, number>>;
}

/** What came of sentences: through this server, and by the programs alone. */
export interface Compared {
  readonly sentences: number;
  /** How many items of each sort the sources have. */
  readonly items: Readonly<Record<Sort, number>>;
  readonly ours: Quality;
  readonly bare: Quality;
  /** What this server says of its translations. */
  readonly warnings: readonly string[];
}

/** A sentence, and what came of it. */
export interface Translated {
  readonly source: string;
  readonly reference: string;
  readonly ours: string;
  readonly bare: string;
  readonly warnings: readonly string[];
}

/** Has sentences translated by apertium through this server, and by the programs alone. */
export async function translateBoth(
  translate: TranslateText,
  pairs: readonly KnownPair[],
  { source, target, mode }: Direction,
): Promise<Translated[]> {
  const translated: Translated[] = [];
  for (const [format, some] of Map.groupBy(pairs, (pair) => pair.format)) {
    const texts = some.map((pair) => pair[source]);
    const body = { model: 'apertium', source_language: source, target_language: target, format, texts };
    const { translations } = await translate(body);
    const bare = translateBare(texts, mode, format === 'html' ? ['-f', 'html'] : []);
    for (const [index, text] of texts.entries()) {
      const { text: ours, warnings } = translations[index];
      const reference = some[index]?.[target] ?? '';
      translated.push({ source: text, reference, ours, bare: bare[index] ?? '', warnings });
    }
  }
  return translated;
}

/** Compares what came of sentences. */
export function compare(translated: readonly Translated[]): Compared {
  return {
    sentences: translated.length,
    items: sumsOf(translated.map(({ source }) => lengthsOf(itemsOf(source)))),
    ours: judge(translated, ({ ours }) => ours),
    bare: judge(translated, ({ bare }) => bare),
    warnings: translated.flatMap(({ warnings }) => warnings),
  };
}

/** By `apertium` itself, a line each; what it does not know is not marked, as through this server. */
function translateBare(texts: readonly string[], mode: string, options: readonly string[]): string[] {
  // Of a standard input that is no pipe of a shell it makes nothing.
  const folder = mkdtempSync(join(tmpdir(), 'apertium-'));
  const file = join(folder, 'texts');
  writeFileSync(file, `${texts.join('\n')}\n`);
  const output = execFileSync('apertium', ['-u', ...options, mode, file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const lines = output.split('\n').slice(0, texts.length);
  if (lines.length !== texts.length) throw new Error(`apertium wrote ${lines.length} of ${texts.length} lines.`);
  return lines;
}

function judge(translated: readonly Translated[], translationOf: (one: Translated) => string): Quality {
  const pairs = translated.map((one) => ({ translation: translationOf(one), reference: one.reference }));
  const kept = translated.map((one) => {
    const [there, here] = [itemsOf(one.source), itemsOf(translationOf(one))];
    return toRecord((sort) => countKept(there[sort], here[sort]));
  });
  return { chrf: chrf(pairs), kept: sumsOf(kept) };
}

function lengthsOf(items: Readonly<Record<Sort, readonly string[]>>): Record<Sort, number> {
  return toRecord((sort) => items[sort].length);
}

function sumsOf(counts: readonly Readonly<Record<Sort, number>>[]): Record<Sort, number> {
  return toRecord((sort) => counts.reduce((sum, count) => sum + count[sort], 0));
}

function toRecord(count: (sort: Sort) => number): Record<Sort, number> {
  return Object.fromEntries(SORTS.map((sort) => [sort, count(sort)])) as Record<Sort, number>;
}
