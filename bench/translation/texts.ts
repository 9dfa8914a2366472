import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ApertiumEngine } from '../../src/inference/translation/apertium/apertium-engine.js';
import type { Figure, Section } from '../section.js';
import { percentile } from '../load.js';
import { htmlPages } from './html-pages.js';
import { translate, translatorAnswering } from './local-translator.js';

const ANSWER_MS = 50;
const TEXTS = 1_000;
/** Calls of one translation at once, and texts of one call. */
const AT_ONCE = 8;
const IN_ONE = 32;
const SENTENCE = 'The station was built in 1912 and has 4 platforms, says help@example.com.';

/** What translation takes beside its engines, and what it saves to keep apertium's programs. */
export function translation(isQuick: boolean): Section {
  const times = isQuick ? 20 : 100;
  return {
    name: 'translation',
    title: 'Translation of texts',
    about: `In one process, without HTTP and database. A sentence is translated by a chat model that answers at once: the time is
ours, as with a page of HTML, which parse5 alone parses and serializes. ${TEXTS.toLocaleString('en')} texts go to one that
answers in ${ANSWER_MS} ms: × is how much longer it takes than ${AT_ONCE} calls at once of ${IN_ONE} texts each must. A sentence by
apertium's programs that are kept, against \`apertium\` started for it: × is how many times as fast; without the programs there is no row.`,
    columns: ['this server'],
    measure: async () => [
      ...(await sentences(times)),
      ...(await htmlPages(isQuick ? 6 : 40)),
      await manyTexts(),
      ...(await apertium(isQuick ? 5 : 20)),
    ],
  };
}

async function sentences(times: number): Promise<Figure[]> {
  const { translator } = translatorAnswering(0);
  for (let count = 0; count < 200; count += 1) await translate(translator, [SENTENCE]);
  const taken: number[] = [];
  for (let count = 0; count < times; count += 1) taken.push(await translate(translator, [`${SENTENCE} ${count}.`]));
  taken.sort((one, other) => one - other);
  return [{ row: 'our share of a sentence: p50, ms', value: percentile(taken, 0.5), reach: { atMost: 2 } }];
}

async function manyTexts(): Promise<Figure> {
  const { translator } = translatorAnswering(ANSWER_MS);
  const texts = Array.from({ length: TEXTS }, (_, index) => `The house has number ${index}, and its garden is large.`);
  await translate(translator, texts);
  const taken = await translate(translator, texts);
  const ideal = Math.ceil(Math.ceil(TEXTS / IN_ONE) / AT_ONCE) * ANSWER_MS;
  return { row: `${TEXTS} texts, times the ideal`, value: taken / ideal, reach: { atMost: 1.3 } };
}

async function apertium(times: number): Promise<Figure[]> {
  const engine = await ApertiumEngine.find();
  if (!engine) return [];
  const { signal } = new AbortController();
  const request = {
    model: 'apertium',
    traits: engine.translation,
    source: 'en',
    target: 'es',
    texts: ['The house is red'],
  };
  try {
    for (let count = 0; count < 20; count += 1) await engine.translate(request, signal, 'bench');
    const kept = await median(times, () => engine.translate(request, signal, 'bench'));
    const started = await median(Math.min(times, 10), () => startedOnce('The house is red'));
    return [{ row: 'apertium kept, times as fast as a process', value: started / kept, reach: { atLeast: 20 } }];
  } finally {
    await engine.close();
  }
}

async function startedOnce(text: string): Promise<void> {
  const child = spawn('apertium', ['-u', 'eng-spa'], { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.end(text);
  await once(child, 'close');
}

/** @returns milliseconds */
async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const startedAt = performance.now();
    await work();
    taken.push(performance.now() - startedAt);
  }
  return percentile(
    taken.sort((one, other) => one - other),
    0.5,
  );
}
