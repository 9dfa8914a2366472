import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { Claim } from '../verification/verification.types.js';
import { contrarySentences } from './contrary-sentences.js';
import { indexSentences, stemsOfQuestion } from './indexed-sentences.js';
import type { IndexedSentence, SearchedSource } from './indexed-sentences.js';
import { scoreSentences } from './sentence-scores.js';
import { chooseVaried } from './varied-sentences.js';

const QUESTION_CHARACTERS = 1_000;
const MOST_QUESTIONS = 12;
/** A sentence that has what is asked for, such as a number, counts so much more. */
const KIND_BONUS = 1.5;
/** How much of the score of the best sentence beside it a sentence gets: what answers often stands beside what is asked. */
const BESIDE = 0.3;
const BEFORE_NUMBER =
  'how (?:many|much|long|often|large|big|high|fast|full|far|short)|(?:what|which) (?:port|size|value|share|percentage|number|status|interval|version|maximum|minimum|default)|' +
  'greatest|largest|smallest|maximum|minimum|wie (?:viele?|lange|oft|groß|hoch|schnell|weit)|welche[rnsm]? (?:port|größe|wert|anteil|anzahl|zahl)';
const KINDS: readonly (readonly [question: RegExp, answer: RegExp])[] = [
  [new RegExp(`(?<!\\p{L})(?:${BEFORE_NUMBER})(?!\\p{L})`, 'iu'), /\p{N}/u],
  [/^(?:when|wann|in which year|in welchem jahr)(?!\p{L})/iu, /\d{4}|\d\. ?\p{L}|\d\/\d/u],
  [/^(?:who|wer)(?!\p{L})/iu, /\p{L}.*\s\p{Lu}/u],
  [
    /(?<!\p{L})(?:which|what|welche[rnsm]?) \p{L}/iu,
    /\p{L}_\p{L}|\p{Ll}\p{Lu}|(?<![\p{L}\p{N}])\p{Lu}{2,}|\p{L}[.-]\p{L}/u,
  ],
];

/** What is asked, and the sentences of sources that answer it. */
export interface ExtractedAnswer {
  readonly question: string;
  readonly claims: readonly Claim[];
}

/**
 * Answers questions without a model: the sentences of the sources that match best and differ from each other, each with
 * itself as its quote, and behind it those of other sources that contradict it. A sentence answers one question only, the
 * first that it is chosen for. The same questions and sources always get the same answers. Takes time in proportion to the
 * sources for each question, with turns for others.
 * @param questions of which twelve are answered
 * @param perQuestion how many sentences answer the first one at most; a third as many each of the others, which belong to it
 * @throws the reason of the signal of the cooperation
 */
export async function extractClaims(
  questions: readonly string[],
  sources: readonly SearchedSource[],
  perQuestion: number,
  cooperation: CooperativeYield,
): Promise<ExtractedAnswer[]> {
  const sentences = await indexSentences(sources, cooperation);
  const languageOf = new Map(sources.map(({ id, language }) => [id, language]));
  const languages = [...new Set(languageOf.values())].slice(0, 8);
  const told = new Set<number>();
  const answers: ExtractedAnswer[] = [];
  for (const [place, question] of questions.slice(0, MOST_QUESTIONS).entries()) {
    const asked = question.slice(0, QUESTION_CHARACTERS);
    const stems = new Set(languages.flatMap((language) => [...stemsOfQuestion(asked, language)]));
    const scores = await cooperation.finish(scoreSentences(sentences, stems));
    const wanted = KINDS.find(([kind]) => kind.test(asked))?.[1];
    const weighed = await cooperation.map(scores.entries(), ([index, score]) => {
      if (told.has(index)) return 0;
      const weight = score + BESIDE * bestBeside(sentences, scores, index);
      return wanted?.test(sentences[index]?.text ?? '') ? weight * KIND_BONUS : weight;
    });
    const chosen = chooseVaried(sentences, weighed, place === 0 ? perQuestion : Math.ceil(perQuestion / 3));
    const all: number[] = [];
    for (const index of chosen) {
      const language = languageOf.get(sentences[index]?.sourceId ?? '') ?? null;
      const contrary = await contrarySentences(sentences, index, language, cooperation);
      all.push(index, ...contrary.filter((one) => !told.has(one) && !chosen.includes(one) && !all.includes(one)));
    }
    for (const index of all) told.add(index);
    answers.push({ question, claims: all.flatMap((index) => toClaim(sentences[index], question)) });
  }
  return answers;
}

/** The score of the best of the sentences next to one in its part, and of the first one there. */
function bestBeside(sentences: readonly IndexedSentence[], scores: readonly number[], index: number): number {
  const lead = sentences[index]?.lead;
  const beside = [index - 1, index + 1].filter((one) => sentences[one]?.lead === lead);
  if (lead !== undefined && lead !== index) beside.push(lead);
  return Math.max(0, ...beside.map((one) => scores[one] ?? 0));
}

function toClaim(sentence: IndexedSentence | undefined, section: string): Claim[] {
  if (!sentence) return [];
  const { text, sourceId } = sentence;
  return [{ text: text.replaceAll(/\s+/g, ' '), quotes: [{ source: sourceId, quote: text }], section }];
}
