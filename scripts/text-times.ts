/** Prints how long quotes, support, sentences, languages and chunks take for texts of one, ten and a hundred times a length. */
import { chunksOf } from '../src/knowledge/ingest/chunker.js';
import type { Page } from '../src/knowledge/ingest/chunk.types.js';
import { detectLanguage } from '../src/platform/text/language.js';
import { findQuote } from '../src/platform/text/quotes/find-quote.js';
import { sentencesIn } from '../src/platform/text/sentences/sentences.js';
import { findSupport } from '../src/platform/text/support/find-support.js';

const FACTORS = [1, 10, 100] as const;
const UNITS = 100_000;
const PAGE_UNITS = 4_000;
const PROSE = 'The monthly rent of flat 14 is EUR 1,250.50. It is due on the third working day, Dr. Meyer says. ';
const SIZES = { target: 256, max: 512, overlap: 32, countTokens: (text: string) => Math.ceil(text.length / 4) };

/** What is done with a text of so many UTF-16 units; undefined where a text so long says nothing more. */
const CASES: Readonly<Record<string, (units: number) => unknown>> = {
  'quote in prose': (units) => findQuote(PROSE.repeat(units / PROSE.length), 'the rent is due at once'),
  'quote aaa…b in aaa…': (units) => findQuote('a'.repeat(units), `${'a'.repeat(units / 2)}b`),
  'quote aaa in a a a…': (units) => findQuote('a '.repeat(units / 2), 'aaa'),
  'sentences of prose': (units) => countOf(sentencesIn(PROSE.repeat(units / PROSE.length))),
  'sentences of abbreviations': (units) => countOf(sentencesIn('Dr. A. '.repeat(units / 7))),
  'language of prose': (units) => detectLanguage(PROSE.repeat(units / PROSE.length)),
  'support in prose': (units) => findSupport(PROSE.repeat(units / PROSE.length), 'The rent is USD 1,250.50.', 'en'),
  'support in one word': (units) => findSupport('a'.repeat(units), 'The rent is USD 1,250.50.', 'en'),
  'support in numbers': (units) => findSupport('5 1,000 may '.repeat(units / 12), 'The rent is USD 1,250.50.', 'en'),
  'chunks of pages of prose': (units) => chunk(prosePages(units)),
  'chunks of one paragraph': (units) => chunk([toPage(PROSE.repeat(units / PROSE.length))]),
  'chunks of one word': (units) => chunk([toPage('x'.repeat(units))]),
  'chunks of a row': (units) => chunk([toPage(`A | B\n${'x y '.repeat(units / 4)}`, 'table')]),
  'chunks of headings': (units) => chunk([toBlocks('Title\n'.repeat(units / 6), 6, 'heading')]),
  'chunks of empty blocks': (units) => chunk([toBlocks('\n'.repeat(units), 1, 'paragraph')]),
  'chunks of Chinese': (units) => chunk([toPage('契約は終わる中文字'.repeat(units / 9))]),
};

// First, since what was resident at most says nothing later.
const chunks = await chunk(prosePages(100 * 2 ** 20));
const peak = process.resourceUsage().maxRSS / 1024;
console.log(`A document of 100 MiB in pages: ${chunks} chunks, ${peak.toFixed(0)} MiB resident at most.\n`);
const row = (...cells: readonly unknown[]): void => console.log(`| ${cells.join(' | ')} |`);
row('ms', ...FACTORS.map((factor) => `${(factor * UNITS) / 1e6} M units`), 'resident, MiB');
row('---', ...FACTORS.map(() => '---:'), '---:');
for (const [name, run] of Object.entries(CASES)) {
  await run(UNITS);
  const times: string[] = [];
  for (const factor of FACTORS) {
    const startedAt = performance.now();
    await run(factor * UNITS);
    times.push((performance.now() - startedAt).toFixed(0));
  }
  row(name, ...times, (process.memoryUsage().rss / 2 ** 20).toFixed(0));
}
function countOf(items: Iterable<unknown>): number {
  let count = 0;
  for (const _ of items) count += 1;
  return count;
}

async function chunk(pages: Iterable<Page>): Promise<number> {
  let count = 0;
  for await (const _ of chunksOf(streamOf(pages), SIZES)) count += 1;
  return count;
}

async function* streamOf(pages: Iterable<Page>): AsyncGenerator<Page> {
  yield* pages;
}

function* prosePages(units: number): Generator<Page> {
  for (let made = 0, number = 1; made < units; made += PAGE_UNITS, number += 1) {
    yield { ...toPage(PROSE.repeat(PAGE_UNITS / PROSE.length)), number };
  }
}

function toPage(text: string, kind: 'paragraph' | 'table' = 'paragraph'): Page {
  return { text, blocks: [{ kind, start: 0, end: text.length }] };
}

function toBlocks(text: string, length: number, kind: 'paragraph' | 'heading'): Page {
  const count = Math.floor(text.length / length);
  const blocks = Array.from({ length: count }, (_, index) => ({
    kind,
    start: index * length,
    end: (index + 1) * length,
  }));
  return { text, blocks };
}
