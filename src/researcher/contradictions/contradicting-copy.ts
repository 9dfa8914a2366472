import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { sentencesIn } from '../../platform/text/sentences/sentences.js';
import { ComparableStatement } from './comparable-statement.js';

/** Sentences that only one of two texts has, as far as they are compared, and UTF-16 units of them in compatible characters. */
const MOST_SENTENCES = 100;
const MOST_TEXT = 30_000;
const LONGEST = 1_000;

/**
 * Whether one of two texts that are much the same has a sentence that contradicts one of the other: the same words, with
 * another number or a negation. Such a copy is no mirror. Takes time in proportion to the texts, in turns of one sentence.
 * @param language as BCP 47 tag; null where it is not known
 * @throws the reason of the signal of the cooperation
 */
export async function contradictsCopy(
  one: string,
  other: string,
  language: string | null,
  cooperation: CooperativeYield,
): Promise<boolean> {
  const [ours, theirs] = [await sentencesOf(one, cooperation), await sentencesOf(other, cooperation)];
  const own = await statements(ours, theirs, language, cooperation);
  const foreign = await statements(theirs, ours, language, cooperation);
  for (const statement of own) {
    for (const against of foreign) {
      if (cooperation.isDue) await cooperation.yield();
      if (contradicts(statement, against)) return true;
    }
  }
  return false;
}

/** Whether two statements have the same words, but another number or a negation. */
export function contradicts(one: ComparableStatement, other: ComparableStatement): boolean {
  const relation = one.relationTo(other);
  return relation === 'number' || relation === 'negation';
}

async function sentencesOf(text: string, cooperation: CooperativeYield): Promise<Set<string>> {
  const sentences = new Set<string>();
  for (const { start, end } of sentencesIn(text)) {
    if (cooperation.isDue) await cooperation.yield();
    if (end - start <= LONGEST) sentences.add(text.slice(start, end).replaceAll(/\s+/g, ' '));
  }
  return sentences;
}

async function statements(
  own: ReadonlySet<string>,
  other: ReadonlySet<string>,
  language: string | null,
  cooperation: CooperativeYield,
): Promise<ComparableStatement[]> {
  const made: ComparableStatement[] = [];
  let length = 0;
  for (const sentence of own) {
    if (cooperation.isDue) await cooperation.yield();
    if (other.has(sentence)) continue;
    if (made.length === MOST_SENTENCES) break;
    const statement = new ComparableStatement(sentence, language);
    length += statement.length;
    if (length > MOST_TEXT) break;
    made.push(statement);
  }
  return made;
}
