import { topicOf } from './sub-questions.js';

const MOST = 3;
/** Sentences that names are looked for in. */
const MOST_TOLD = 40;
/** Names as programs have them: `max_size`, `MaxSize`. */
const NAME = /[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+|\p{Lu}\p{Ll}+(?:\p{Lu}\p{Ll}*)+/gu;

/**
 * The questions that a question leads on to by what sources say: its topic with a name that they tell, and that it does not
 * have itself. The names of most sentences come first. Whoever asks in words of his own finds what things are called so.
 * @param told what sources say to the question
 * @returns at most three, each once
 */
export function followUpsOf(question: string, told: readonly string[]): string[] {
  const [asked, topic] = [question.toLowerCase(), topicOf(question)];
  const counts = new Map<string, number>();
  for (const sentence of told.slice(0, MOST_TOLD)) {
    for (const name of new Set(sentence.match(NAME))) {
      if (!asked.includes(name.toLowerCase())) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST)
    .map(([name]) => `${name} ${topic}`.trim());
}
