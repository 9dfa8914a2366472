import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallOwner } from '../../src/access/caller.js';
import { ApertiumEngine } from '../../src/inference/translation/apertium/apertium-engine.js';
import type { TranslationModel } from '../../src/inference/domain.js';
import { UnitTranslator } from '../../src/translation/engines/unit-translator.js';
import { TextTranslator } from '../../src/translation/texts/text-translator.js';
import { textsOf, toGerman } from '../../test/support/translating-model.js';
import type { Figure, Section } from '../section.js';
import { percentile } from '../load.js';

const ANSWER_MS = 50;
const TEXTS = 1_000;
/** Calls of one translation at once, and texts of one call. */
const AT_ONCE = 8;
const IN_ONE = 32;
const OWNER: CallOwner = { tenantId: 'ten_bench', tokenId: 'tok_bench', userId: 'usr_bench' };
const MODEL: TranslationModel = {
  id: 'bench',
  engine: 'chat',
  traits: null,
  isHealthy: true,
  maxConcurrency: undefined,
};
const SENTENCE = 'The station was built in 1912 and has 4 platforms, says help@example.com.';

/** What translation takes beside its engines, and what it saves to keep apertium's programs. */
export function translation(isQuick: boolean): Section {
  const times = isQuick ? 20 : 100;
  return {
    name: 'translation',
    title: 'Translation of texts',
    about: `In one process, without HTTP and database. A sentence is translated by a chat model that answers at once: the time is
ours. ${TEXTS.toLocaleString('en')} texts go to one that answers in ${ANSWER_MS} ms: × is how much longer it takes than ${AT_ONCE} calls at once of
${IN_ONE} texts each must. A sentence by apertium's programs that are kept, against \`apertium\` started for it: × is how
many times as fast; without the programs there is no row.`,
    columns: ['this server'],
    measure: async () => [...(await sentences(times)), await manyTexts(), ...(await apertium(isQuick ? 5 : 20))],
  };
}

async function sentences(times: number): Promise<Figure[]> {
  const translator = translatorAnswering(0);
  for (let count = 0; count < 200; count += 1) await translate(translator, [SENTENCE]);
  const taken: number[] = [];
  for (let count = 0; count < times; count += 1) taken.push(await translate(translator, [`${SENTENCE} ${count}.`]));
  taken.sort((one, other) => one - other);
  return [{ row: 'our share of a sentence: p50, ms', value: percentile(taken, 0.5), reach: { atMost: 2 } }];
}

async function manyTexts(): Promise<Figure> {
  const translator = translatorAnswering(ANSWER_MS);
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

function translatorAnswering(milliseconds: number): TextTranslator {
  const unit = new UnitTranslator({
    check: async () => undefined,
    translationModels: async () => [MODEL],
    transformOf: () => undefined,
    translate: () => Promise.reject(new Error('There is no engine but the chat model.')),
    complete: async (_caller, { request }) => {
      if (milliseconds > 0) await sleep(milliseconds);
      const answers = Object.entries(textsOf({ body: request })).map(([id, text]) => [id, toGerman(text)]);
      const message = { role: 'assistant', content: JSON.stringify(Object.fromEntries(answers)) };
      return {
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      };
    },
  });
  return new TextTranslator(unit);
}

/** @returns milliseconds @throws Error where a text was not translated */
async function translate(translator: TextTranslator, texts: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const request = { texts, field: 'texts', format: 'text', options: { source: 'en', target: 'de' } } as const;
  const context = { serverRequestId: 'bench', signal: new AbortController().signal };
  const { translations } = await translator.translate(OWNER, request, context);
  const taken = performance.now() - startedAt;
  if (translations.some(({ warnings }) => warnings.length > 0)) throw new Error('A text was not translated.');
  return taken;
}
