import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { TextSpan } from '../../platform/text/text-span.js';
import { indexSentences, stemsOfQuestion } from '../builtin/indexed-sentences.js';
import { scoreSentences } from '../builtin/sentence-scores.js';
import type { SnapshotSource } from '../verification/verification.types.js';

/** Sentences around which the text is kept, and how much around each, in UTF-16 units. */
const MOST_PLACES = 60;
const AROUND = 600;
/** UTF-16 units of a question that are read, and words of all of them. */
const LONGEST_QUESTION = 2_000;
const MOST_STEMS = 1_000;
const LEFT_OUT = '\n[…]\n';

/**
 * What a source says around the sentences that match questions best, in its order; the whole text where it is short enough,
 * and its beginning where nothing matches. Of all questions together a thousand different words are looked for.
 * @param most UTF-16 units, without the marks of what is left out
 * @throws the reason of the signal of the cooperation
 */
export async function relevantText(
  source: SnapshotSource,
  questions: readonly string[],
  most: number,
  cooperation: CooperativeYield,
): Promise<string> {
  const { text } = source;
  if (text.length <= most) return text;
  const sentences = await indexSentences([source], cooperation);
  const stemsOf = await cooperation.map(questions, (question) => [
    ...stemsOfQuestion(question.slice(0, LONGEST_QUESTION), source.language),
  ]);
  const stems = new Set([...new Set(stemsOf.flat())].slice(0, MOST_STEMS));
  const scores = await cooperation.finish(scoreSentences(sentences, stems));
  const best = scores
    .map((score, index) => ({ score, index }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || one.index - other.index)
    .slice(0, MOST_PLACES);
  let kept: TextSpan[] = [];
  for (const { index } of best) {
    const sentence = sentences[index]?.text ?? '';
    const at = text.indexOf(sentence);
    const span = { start: Math.max(0, at - AROUND), end: Math.min(text.length, at + sentence.length + AROUND) };
    const joined = merged([...kept, span]);
    if (lengthOf(joined) > most) break;
    kept = joined;
    if (cooperation.isDue) await cooperation.yield();
  }
  if (kept.length === 0) return text.slice(0, most).toWellFormed();
  return kept.map(({ start, end }) => text.slice(start, end).toWellFormed()).join(LEFT_OUT);
}

function merged(spans: readonly TextSpan[]): TextSpan[] {
  const joined: TextSpan[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last && span.start <= last.end) joined[joined.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    else joined.push(span);
  }
  return joined;
}

function lengthOf(spans: readonly TextSpan[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0);
}
