import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { ComparableStatement } from '../contradictions/comparable-statement.js';
import { contradicts } from '../contradictions/contradicting-copy.js';
import type { IndexedSentence } from './indexed-sentences.js';

/** Sentences against one, and those that are compared with it. */
const MOST = 2;
const MOST_COMPARED = 20;
/** A sentence that contradicts another one has all of its words but this many, and the other one likewise. */
const OTHER_WORDS = 1;

/**
 * The sentences of other sources that contradict one: the same words, with another number or a negation.
 * @param language of its source
 * @returns at most two indexes, in their order
 * @throws the reason of the signal of the cooperation
 */
export async function contrarySentences(
  sentences: readonly IndexedSentence[],
  index: number,
  language: string | null,
  cooperation: CooperativeYield,
): Promise<number[]> {
  const [sentence] = sentences.slice(index, index + 1);
  if (!sentence) return [];
  const statement = new ComparableStatement(sentence.text, language);
  const found: number[] = [];
  let compared = 0;
  for (const [at, other] of sentences.entries()) {
    if (cooperation.isDue) await cooperation.yield();
    if (other.sourceId === sentence.sourceId || !haveSameWords(sentence, other)) continue;
    compared += 1;
    if (contradicts(statement, new ComparableStatement(other.text, language))) found.push(at);
    if (found.length === MOST || compared === MOST_COMPARED) break;
  }
  return found;
}

function haveSameWords({ stems: one }: IndexedSentence, { stems: other }: IndexedSentence): boolean {
  if (Math.abs(one.size - other.size) > OTHER_WORDS) return false;
  let missing = 0;
  for (const stem of one.keys()) {
    if (!other.has(stem)) missing += 1;
    if (missing > OTHER_WORDS) return false;
  }
  return true;
}
