import type { ComparedTexts } from './compared-texts.js';
import type { TranslationFault } from './translation-fault.js';
import { UNSPACED } from '../languages/unspaced.js';
import { lowerWordsIn, wordsIn } from './words-in.js';
import type { TextWord } from './words-in.js';

/** Languages so close that short texts may be the same in both. */
const CLOSE: readonly ReadonlySet<string>[] = [
  new Set(['da', 'no', 'nb', 'nn', 'sv']),
  new Set(['hr', 'sr', 'bs', 'sh', 'cnr', 'sl']),
  new Set(['id', 'ms']),
  new Set(['cs', 'sk']),
  new Set(['es', 'gl', 'pt', 'ca', 'ast']),
  new Set(['ru', 'uk', 'be', 'bg', 'mk']),
  new Set(['nl', 'af']),
];
/** Words that are no names, below which a copy may be right: `Hotel Restaurant`. */
const LEAST_WORDS = { other: 3, close: 8 };
const MOST_SHARE = 0.85;
/** Words in a row that no translation leaves as they are, unless they are a title. */
const RUN = { words: 8, mostNames: 2 };
const NO_PROSE = /[^\p{L}\p{M}\p{N}'’\s]+/u;
/** Letters of a script without spaces, below which an equal text may be right. */
const LEAST_LETTERS = 8;
/** In German all nouns have capitals, so that they tell no names. */
const CAPITAL_NOUNS: ReadonlySet<string> = new Set(['de', 'lb', 'nds']);

/** Finds translations that have the words of the source; names, numbers and very short texts may. */
export function findCopy({ source, answer, languages }: ComparedTexts): TranslationFault[] {
  const [from, to] = [languages.source?.language, languages.target?.language];
  if (from === undefined || to === undefined || from === to) return [];
  const fault: TranslationFault = {
    code: 'copied',
    message: 'The translation has the words of the source: translate them into the target language.',
  };
  if (UNSPACED.has(from)) return source === answer && source.length >= LEAST_LETTERS ? [fault] : [];
  const isName = CAPITAL_NOUNS.has(from) ? () => false : (word: TextWord) => word.isName;
  const isClose = CLOSE.some((set) => set.has(from) && set.has(to));
  const least = isClose ? LEAST_WORDS.close : LEAST_WORDS.other;
  const all = new Set(lowerWordsIn(source));
  const answered = lowerWordsIn(answer);
  const shared = answered.filter((word) => all.has(word)).length;
  // Most answers have few words of their source.
  if (shared === 0 || (shared < least && shared < answered.length)) return [];
  const [inSource, inAnswer] = [wordsIn(source), wordsIn(answer)];
  const sourceWords = new Set(inSource.flatMap((each) => (isName(each) ? [] : [each.word])));
  const words = inAnswer.filter((each) => !isName(each));
  const copied = words.filter(({ word }) => sourceWords.has(word)).length;
  if (sourceWords.size >= least && copied >= least && copied > words.length * MOST_SHARE) return [fault];
  // A few words of a sentence, such as what it tells a model to say, are no translation of it.
  const isPart = sourceWords.size > least && shared === answered.length;
  const mayHaveRun = !isClose && shared >= RUN.words;
  const isBoth = !isClose && sourceWords.size >= least && hasAll(inSource, inAnswer);
  return isPart || isBoth || (mayHaveRun && hasCopiedRun(source, answer, isName)) ? [fault] : [];
}

/** Whether all of a source stands in a translation, beside what is one. */
function hasAll(source: readonly TextWord[], answer: readonly TextWord[]): boolean {
  const [whole, part] = [answer, source].map((words) => ` ${words.map(({ word }) => word).join(' ')} `);
  return whole?.includes(part ?? '') ?? false;
}

/** Whether so many words follow one another in both texts that a part of the source was left as it is. */
function hasCopiedRun(source: string, answer: string, isName: (word: TextWord) => boolean): boolean {
  const runs = new Set(runsOf(source, isName));
  return runs.size > 0 && runsOf(answer, isName).some((run) => runs.has(run));
}

/** All words in a row with nothing but spaces between, unlike options of commands and lists of names; hardly one is a name. */
function runsOf(text: string, isName: (word: TextWord) => boolean): string[] {
  return text.split(NO_PROSE).flatMap((prose) => {
    const words = wordsIn(prose);
    const runs: string[] = [];
    let names = 0;
    for (const [at, word] of words.entries()) {
      if (isName(word)) names += 1;
      const left = words[at - RUN.words];
      if (left && isName(left)) names -= 1;
      if (at < RUN.words - 1 || names > RUN.mostNames) continue;
      const run = words.slice(at - RUN.words + 1, at + 1);
      runs.push(run.map((each) => each.word).join(' '));
    }
    return runs;
  });
}
