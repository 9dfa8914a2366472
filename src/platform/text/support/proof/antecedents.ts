import { readWords } from '../words.js';
import { isComparedOtherwise } from './comparisons.js';
import type { Concepts } from './concepts.js';
import type { Operand } from './operand.js';

/** `The engineer who advised the minister`: the word that is told more of, and what is told. */
const RELATIVE = /(?<antecedent>\p{L}+),? (?:who|which|whose) (?<told>[^,;:]{2,300})/gu;
/** `Anna Meier, the wife of the mayor, was elected`. */
const APPOSITION =
  /^(?<subject>[^,]{2,80}), (?<told>(?:the|an?|his|her|der|die|das|ein|eine) [^,]{2,150}), (?:was|is|has|had|were|are|will|ist|war|hat|wurde|wird)(?!\p{L})/u;

/**
 * Says whether a sentence takes words of what is told beside somebody, in a relative clause or an apposition, and does not
 * name that one: `the minister was arrested` for `the engineer who advised the minister was arrested`.
 */
export function leavesAntecedentOut(claim: Operand, source: Operand, concepts: Concepts): boolean {
  if (isComparedOtherwise(claim, source, concepts)) return true;
  return source.lower.split(/[.!?] /).some((sentence) => {
    const relative = [...sentence.matchAll(RELATIVE)].some(({ groups: { antecedent = '', told = '' } = {} }) => {
      return !claim.has(concepts.meaningOf(antecedent)) && isAbout(claim, told, '', concepts);
    });
    if (relative) return true;
    const { subject = '', told = '' } = APPOSITION.exec(sentence)?.groups ?? {};
    const own = contentOf(subject, concepts).filter((word) => !told.includes(word));
    const isNamed = own.some((word) => claim.has(concepts.meaningOf(word)));
    return own.length > 0 && !isNamed && isAbout(claim, told, subject, concepts);
  });
}

/** Whether the first word with content of a sentence stands in a text, and not in another one. */
function isAbout(claim: Operand, told: string, beside: string, concepts: Concepts): boolean {
  const [first] = claim.content;
  if (!first) return false;
  const has = (text: string): boolean =>
    contentOf(text, concepts).some((word) => concepts.isSame(concepts.meaningOf(word), first));
  return has(told) && !has(beside);
}

function contentOf(text: string, { words, language }: Concepts): string[] {
  return readWords(text, language)
    .map(({ lower }) => lower)
    .filter((lower) => !words.isStopWord(lower));
}
