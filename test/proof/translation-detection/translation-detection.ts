import { HALVES } from '../halves.js';
import type { Proof } from '../proof.js';
import { detectAll, shareNotWrong, shareRight } from './detection-trial.js';
import type { Detected } from './detection-trial.js';
import { LENGTHS } from './known-texts.js';
import type { Length } from './known-texts.js';

/** What must hold of the texts of each length: the language of so many is told, or at least no wrong one. */
const BOUNDS: Readonly<
  Record<Length, { readonly least: number; readonly says: string; readonly share: typeof shareRight }>
> = {
  sentences: { least: 0.98, says: 'of whole sentences the language is told', share: shareRight },
  short: { least: 0.9, says: 'of short texts the language is told or none', share: shareNotWrong },
  junk: { least: 1, says: 'of junk no language is told', share: shareRight },
};

/** What does not hold, of all texts and of those that are held out; a sentence each. */
export function findProblems(detected: readonly Detected[]): string[] {
  const heldOut = detected.filter(({ half }) => half === 'held out');
  return [detected, heldOut].flatMap((texts) =>
    LENGTHS.flatMap((length) => {
      const { least, says, share } = BOUNDS[length];
      const found = share(texts.filter((text) => text.length === length));
      const which = texts === detected ? 'all texts' : 'the held-out texts';
      return found < least ? [`In ${percent(found)} ${says} (${which}); ${percent(least)} must be.`] : [];
    }),
  );
}

/** The languages of texts are told, and of what is in none nothing. */
export const translationDetection: Proof = {
  name: 'translation-detection',
  about: 'sentences and short texts in 25 languages, and junk: how often the language is told, and a wrong one',
  async run() {
    const detected = await detectAll();
    return { report: report(detected), problems: findProblems(detected) };
  },
};

function report(detected: readonly Detected[]): string {
  const languages = [...Map.groupBy(detected, ({ language }) => language)].filter(([language]) => language);
  const junk = Map.groupBy(
    detected.filter(({ length }) => length === 'junk'),
    ({ sort }) => sort,
  );
  return [
    '# Detected languages',
    '',
    'Ten whole sentences and ten texts of two to four words in each of 25 languages, and junk, each as a text that stands',
    'alone (`texts.json`). Where no language is told, that of the texts beside it is taken. What was changed was chosen by the',
    'tuning half of each language and sort alone.',
    '',
    '| Language | Sentences: right | none | wrong | Short: right | none | wrong |',
    '|---|---|---|---|---|---|---|',
    ...languages.map(([language, texts]) => `| ${[language, ...countsOf(texts)].join(' | ')} |`),
    `| **all** | ${countsOf(detected).join(' | ')} |`,
    ...HALVES.map((half) => `| ${half} | ${countsOf(detected.filter((text) => text.half === half)).join(' | ')} |`),
    '',
    '| Junk | Texts | None | A language |',
    '|---|---|---|---|',
    ...[...junk].map(([sort, texts]) => {
      const none = texts.filter(({ told }) => told === undefined).length;
      return `| ${sort} | ${texts.length} | ${none} | ${texts.length - none} |`;
    }),
    '',
    'Wrong:',
    '',
    ...detected.filter(isWrong).map(({ language, told, text }) => `- ${told} in place of ${language}: ${text}`),
    '',
  ].join('\n');
}

function countsOf(texts: readonly Detected[]): number[] {
  return (['sentences', 'short'] as const).flatMap((length) => {
    const some = texts.filter((text) => text.length === length);
    const right = some.filter(({ told, language }) => told === language).length;
    const wrong = some.filter(isWrong).length;
    return [right, some.length - right - wrong, wrong];
  });
}

function isWrong({ told, language }: Detected): boolean {
  return told !== undefined && told !== language;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
