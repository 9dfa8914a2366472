import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { Claim } from '../verification/verification.types.js';
import { indexSentences, stemsOfQuestion } from './indexed-sentences.js';
import type { IndexedSentence, SearchedSource } from './indexed-sentences.js';
import { scoreSentences } from './sentence-scores.js';
import { chooseVaried } from './varied-sentences.js';

const QUESTION_CHARACTERS = 1_000;
const MOST_QUESTIONS = 12;
/** A sentence that has what is asked for, such as a number, counts so much more. */
const KIND_BONUS = 1.15;
const KINDS: readonly (readonly [question: RegExp, answer: RegExp])[] = [
  [
    /^(?:how (?:many|much|long|often|large|big|high|fast)|wie (?:viele?|lange|oft|groß|hoch|schnell))(?!\p{L})/iu,
    /\p{N}/u,
  ],
  [/^(?:when|wann|in which year|in welchem jahr)(?!\p{L})/iu, /\d{4}|\d\. ?\p{L}|\d\/\d/u],
  [/^(?:who|wer)(?!\p{L})/iu, /\p{L}.*\s\p{Lu}/u],
];

/** What is asked, and the sentences of sources that answer it. */
export interface ExtractedAnswer {
  readonly question: string;
  readonly claims: readonly Claim[];
}

/**
 * Answers questions without a model: the sentences of the sources that match best and differ from each other, each with
 * itself as its quote. A sentence answers one question only, the first that it is chosen for. The same questions and sources
 * always get the same answers. Takes time in proportion to the sources for each question, with turns for others.
 * @param questions of which twelve are answered
 * @param perQuestion how many sentences answer one at most
 * @throws the reason of the signal of the cooperation
 */
export async function extractClaims(
  questions: readonly string[],
  sources: readonly SearchedSource[],
  perQuestion: number,
  cooperation: CooperativeYield,
): Promise<ExtractedAnswer[]> {
  const sentences = await indexSentences(sources, cooperation);
  const languages = [...new Set(sources.map(({ language }) => language))].slice(0, 8);
  const told = new Set<number>();
  const answers: ExtractedAnswer[] = [];
  for (const question of questions.slice(0, MOST_QUESTIONS)) {
    const asked = question.slice(0, QUESTION_CHARACTERS);
    const stems = new Set(languages.flatMap((language) => [...stemsOfQuestion(asked, language)]));
    const scores = await cooperation.finish(scoreSentences(sentences, stems));
    const wanted = KINDS.find(([kind]) => kind.test(asked))?.[1];
    const weighed = await cooperation.map(scores.entries(), ([index, score]) => {
      if (told.has(index)) return 0;
      return wanted?.test(sentences[index]?.text ?? '') ? score * KIND_BONUS : score;
    });
    const chosen = chooseVaried(sentences, weighed, perQuestion);
    for (const index of chosen) told.add(index);
    answers.push({ question, claims: chosen.flatMap((index) => toClaim(sentences[index], question)) });
  }
  return answers;
}

function toClaim(sentence: IndexedSentence | undefined, section: string): Claim[] {
  if (!sentence) return [];
  const { text, sourceId } = sentence;
  return [{ text: text.replaceAll(/\s+/g, ' '), quotes: [{ source: sourceId, quote: text }], section }];
}
