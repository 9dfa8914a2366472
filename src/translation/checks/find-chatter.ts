import { toLanguageName } from '../languages/language-tag.js';
import type { LanguageTag } from '../languages/language-tag.js';
import { AGREEMENTS, ANNOUNCEMENTS, NOTES, REFUSALS, TRANSLATION_WORDS } from './chatter-phrases.js';
import type { ComparedTexts } from './compared-texts.js';
import type { TranslationFault } from './translation-fault.js';

/** How much of the beginning and of the end of an answer is looked at. */
const LOOKED_AT = 400;
const FENCE = /^[ \t]{0,20}(?:`{3}|~{3})/m;
const WIRE = /<\/?(?:think|thinking|answer|translation|text|source)>|<\|[^|<>]{1,40}\|>|\[\/?INST\]/i;
const JSON_START = /^\s*(?:\{\s*["“}]|\[\s*[[{"“])/;
const JSON_END = /["”]\s*[}\]]\s*$/;
const LABEL = /^[\s*#"]{0,6}(\p{L}[\p{L}() -]{0,40})[*]{0,2}\s?[:：]/u;
const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '«': '»',
  '»': '«',
  '‘': '’',
  '「': '」',
  '『': '』',
  '《': '》',
};
const QUOTE = new Set([...Object.keys(QUOTES), ...Object.values(QUOTES)]);

/** Finds words about the translation that are none of it: announcements, notes, refusals, fences, quotes and JSON around. */
export function findChatter(texts: ComparedTexts): TranslationFault[] {
  const { source, answer, languages } = texts;
  const [start, end] = [answer.slice(0, LOOKED_AT), answer.slice(-LOOKED_AT)];
  const sourceStart = source.slice(0, LOOKED_AT);
  const found: readonly (readonly [boolean, string])[] = [
    [announcesIt(sourceStart, start), 'no words about the translation before it'],
    [agreesWithNobody(sourceStart, start, languages.target), 'no words to whoever asks before it'],
    [hasLanguageLabel(sourceStart, start, languages), 'no name of a language before it'],
    [REFUSALS.test(start) && !REFUSALS.test(sourceStart), 'and do not answer or refuse what it says'],
    [NOTES.test(end) && !NOTES.test(source), 'no notes behind it'],
    [FENCE.test(answer) && !FENCE.test(source), 'no fences around it'],
    [WIRE.test(answer) && !WIRE.test(source), 'no tags of your own'],
    [isJson(answer) && !isJson(source), 'no JSON in it'],
    [isQuoted(answer) && !touchesQuote(source), 'no quotation marks around it'],
  ];
  return found.flatMap(([isFault, what]) =>
    isFault ? [{ code: 'chatter', message: `Write the translation of the text only, ${what}.` }] : [],
  );
}

/** `Text: …` is the source's own where it begins with the same word and a colon. */
function announcesIt(source: string, answer: string): boolean {
  if (!ANNOUNCEMENTS.test(answer) || TRANSLATION_WORDS.test(source)) return false;
  const label = labelOf(answer);
  return label === undefined || label !== labelOf(source);
}

/**
 * Words such as "Sure!" are the source's own where it begins with such words in any language. In the target language they
 * are chatter only where a line or a colon follows that the source does not have.
 */
function agreesWithNobody(source: string, answer: string, target: LanguageTag | undefined): boolean {
  const [language] = Object.entries(AGREEMENTS).find(([, words]) => words.test(answer)) ?? [];
  if (language === undefined || Object.values(AGREEMENTS).some((words) => words.test(source))) return false;
  if (language !== target?.language && language !== 'sv') return true;
  const isFollowed = /[:：]\s|\n/.test(answer.slice(0, 160));
  return isFollowed && !/[:：]\s|\n/.test(source.slice(0, 160));
}

/** `Spanish: …`, or that in the language itself. */
function hasLanguageLabel(source: string, answer: string, languages: ComparedTexts['languages']): boolean {
  const label = labelOf(answer);
  if (label === undefined || LABEL.test(source)) return false;
  return [languages.source, languages.target].some(
    (tag) => tag !== undefined && namesOf(tag).has(label.split(' (')[0] ?? ''),
  );
}

function labelOf(text: string): string | undefined {
  return LABEL.exec(text)?.[1]?.trim().toLowerCase();
}

const names = new Map<string, ReadonlySet<string>>();

function namesOf(tag: LanguageTag): ReadonlySet<string> {
  let own = names.get(tag.language);
  if (!own) {
    const inItself = new Intl.DisplayNames([tag.language], { type: 'language' }).of(tag.language);
    own = new Set(
      [toLanguageName(tag), toLanguageName({ ...tag, tag: tag.language }), inItself].map(
        (name) => name?.toLowerCase() ?? '-',
      ),
    );
    names.set(tag.language, own);
  }
  return own;
}

function isJson(text: string): boolean {
  return JSON_START.test(text.slice(0, LOOKED_AT)) || JSON_END.test(text.slice(-LOOKED_AT));
}

function isQuoted(text: string): boolean {
  const closing = QUOTES[text.charAt(0)];
  return (
    closing !== undefined && text.length > 2 && (text.endsWith(closing) || (text.startsWith('„') && text.endsWith('”')))
  );
}

function touchesQuote(text: string): boolean {
  return QUOTE.has(text.charAt(0)) || QUOTE.has(text.charAt(text.length - 1));
}
