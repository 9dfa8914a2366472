import { readPassages } from '../calls/passage-fence.js';
import type { NumberedPassage } from '../calls/passage-fence.js';
import { textOf } from '../calls/prompt.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { sentencesIn } from '../../platform/text/sentences/sentences.js';
import { scoreByCentrality, scoreByQuestion } from './sentence-ranking.js';
import { sentencesOf, wordsOf } from './sentences.js';

const ANSWER_SENTENCES = 3;
/** A sentence must match the question at least half as well as the best one. */
const RELATIVE_SCORE = 0.5;
/** Sentences that are considered; later ones are not read. */
const SENTENCES = 2_000;
/** Centrality compares every sentence with every other. */
const CENTRAL_SENTENCES = 200;
const MESSAGE_CHARACTERS = 256 * 1024;
const QUESTION_CHARACTERS = 8 * 1024;
/** Of a sentence of a passage: longer ones are no sentences. */
const LONGEST_CITED = 1_000;
/** What Markdown writes below the names of columns. */
const TABLE_RULE = /^[\s|:-]*-[\s|:-]*$/;

interface Sentence {
  readonly text: string;
  readonly words: string[];
}

/**
 * The sentences of a conversation that answer its last question best, in the order in which they were said. Where
 * nothing matches, the sentences that are most central to what was said, the question included: so it is empty only
 * where no text is. Where it has fenced passages, the sentences are theirs alone, each with the number of its passage. The
 * same conversation always gets the same answer.
 *
 * @param messages of the request
 * @param signal ends a long search
 * @returns at most three sentences
 */
export async function extractAnswer(messages: readonly JsonObject[], signal: AbortSignal): Promise<string[]> {
  const cooperation = new CooperativeYield(signal);
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const question = asked < 0 ? '' : textOf(messages[asked] as JsonObject).slice(0, QUESTION_CHARACTERS);
  const texts = messages.filter((_, index) => index !== asked).map(textOf);
  const passages = texts.flatMap(readPassages);
  const context = passages.length > 0 ? await readCited(passages, cooperation) : await read(texts, cooperation);
  if (cooperation.isDue) await cooperation.yield();
  const scores = scoreByQuestion(
    context.map(({ words }) => words),
    wordsOf(question),
  );
  if (scores.some((score) => score > 0)) return pick(context, scores);
  const all = [...context, ...(await read([question], cooperation))].slice(0, CENTRAL_SENTENCES);
  if (cooperation.isDue) await cooperation.yield();
  return pick(all, scoreByCentrality(all.map(({ words }) => words)));
}

async function read(texts: readonly string[], cooperation: CooperativeYield): Promise<Sentence[]> {
  const sentences = new Map<string, Sentence>();
  for (const text of texts) {
    for (const sentence of sentencesOf(text.slice(0, MESSAGE_CHARACTERS))) {
      if (sentences.size >= SENTENCES) return [...sentences.values()];
      if (cooperation.isDue) await cooperation.yield();
      if (!sentences.has(sentence)) sentences.set(sentence, { text: sentence, words: wordsOf(sentence) });
    }
  }
  return [...sentences.values()];
}

/** The sentences of passages, each cited by the number of its own. */
async function readCited(passages: readonly NumberedPassage[], cooperation: CooperativeYield): Promise<Sentence[]> {
  const sentences = new Map<string, Sentence>();
  for (const { number, text } of passages) {
    for (const cited of citedIn(text.slice(0, MESSAGE_CHARACTERS))) {
      if (sentences.size >= SENTENCES) return [...sentences.values()];
      if (cooperation.isDue) await cooperation.yield();
      const sentence = cited.slice(0, LONGEST_CITED);
      if (sentences.has(sentence)) continue;
      sentences.set(sentence, { text: `${sentence} [${number}]`, words: wordsOf(sentence) });
    }
  }
  return [...sentences.values()];
}

/** The sentences of a passage; of a table each row, below the names of its columns. */
function* citedIn(passage: string): Generator<string> {
  for (const block of passage.split(/\n\s*\n/)) {
    const lines = block.split('\n').filter((line) => !TABLE_RULE.test(line));
    const [header = '', ...rows] = lines;
    if (rows.length > 0 && lines.every((line) => line.includes(' | '))) {
      for (const row of rows) yield `${header.trim()}\n${row.trim()}`;
    } else for (const { start, end } of sentencesIn(block)) yield block.slice(start, end).replaceAll(/\s+/g, ' ');
  }
}

/** The best sentences, in their order; of equals the first. */
function pick(sentences: readonly Sentence[], scores: readonly number[]): string[] {
  const least = Math.max(...scores, 0) * RELATIVE_SCORE;
  return sentences
    .map(({ text }, position) => ({ text, position, score: scores[position] ?? 0 }))
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score || a.position - b.position)
    .slice(0, ANSWER_SENTENCES)
    .sort((a, b) => a.position - b.position)
    .map(({ text }) => text);
}
