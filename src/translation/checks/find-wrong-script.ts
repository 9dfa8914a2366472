import { CharacterSet } from '../../platform/text/normalization/character-set.js';
import type { ComparedTexts } from './compared-texts.js';
import type { TranslationFault } from './translation-fault.js';
import { wordsIn } from './words-in.js';

const HAN = String.raw`\p{Script=Han}`;
/** What a language's script (ISO 15924) has beside the letters of the script of that name. */
const SCRIPTS: Readonly<Record<string, string>> = {
  Hans: HAN,
  Hant: HAN,
  Hani: HAN,
  Jpan: String.raw`[${HAN}\p{Script=Hiragana}\p{Script=Katakana}ー]`,
  Kore: String.raw`[${HAN}\p{Script=Hangul}]`,
};
const LETTERS = new CharacterSet(/\p{L}/u);
/** Letters below which names and abbreviations decide. */
const LEAST_LETTERS = 4;
const LEAST_SHARE = 0.5;

/** Requests name few; each has a table. */
const MOST_SCRIPTS = 50;
const known = new Map<string, CharacterSet | undefined>();

/** Finds translations that are not written in the script of the target language; words of the source may be names. */
export function findWrongScript({ source, answer, languages }: ComparedTexts): TranslationFault[] {
  const script = languages.target?.script;
  const letters = script === undefined ? undefined : lettersOf(script);
  if (!letters) return [];
  // Most are, names and all: then nothing has to be known of the source.
  if (isIn(letters, answer)) return [];
  const names = new Set(wordsIn(source).map(({ word }) => word));
  const own = wordsIn(answer)
    .filter(({ word }) => !names.has(word))
    .map(({ word }) => word)
    .join(' ');
  if (isIn(letters, own)) return [];
  return [
    {
      code: 'wrong_script',
      message: `The translation is not written in the script of the target language (${script}).`,
    },
  ];
}

function isIn(letters: CharacterSet, text: string): boolean {
  const all = LETTERS.countIn(text);
  return all < LEAST_LETTERS || letters.countIn(text) >= all * LEAST_SHARE;
}

function lettersOf(script: string): CharacterSet | undefined {
  if (!known.has(script)) {
    if (known.size === MOST_SCRIPTS) known.clear();
    try {
      known.set(script, new CharacterSet(new RegExp(SCRIPTS[script] ?? String.raw`\p{Script=${script}}`, 'u')));
    } catch {
      // A script that regular expressions have no name for cannot be checked.
      known.set(script, undefined);
    }
  }
  return known.get(script);
}
