import type { LanguageTag } from '../languages/language-tag.js';
import { UNSPACED } from '../languages/unspaced.js';
import type { MarkedToken } from './marker-notation.js';
import type { ProtectedUnit } from './protected-unit.js';
import { readAnswer } from './read-answer.js';

/** Letters of scripts with spaces between words, whose words nothing is put right before. */
const LETTER = 'A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u04ff\u1e00-\u1fff';
/** One letter may be another way to write a word: `v1` for "version 1". */
const WORD_BEFORE = new RegExp(`[${LETTER}]{2}$`);
/** An `s` is the genitive of many languages. */
const WORD_BEHIND = new RegExp(`^(?!s(?![${LETTER}]))[${LETTER}]`, 'i');
const LETTER_BEFORE = new RegExp(`[${LETTER}]$`);
const LETTER_BEHIND = new RegExp(`^[${LETTER}]`);

/** Languages that put endings, and those that put syllables before, what stands for a word. */
const WITH_ENDINGS: ReadonlySet<string> = new Set('hu fi et tr az kk ky uz tk tt ug mn eu ka hy ko lv lt'.split(' '));
const WITH_PREFIXES: ReadonlySet<string> = new Set('sw zu xh st tn sn rw lg mg'.split(' '));
/** Languages that write compounds as one word, in which a part may be marked. */
const COMPOUNDING: ReadonlySet<string> = new Set('de nl af lb fy sv da no nb nn is fi et hu'.split(' '));

/**
 * Puts blanks back that an engine has lost beside markers: `on⟦1⟧until`, where the source has blanks there. What languages
 * join on purpose, such as endings and parts of compounds, stays as it is.
 */
export function spaceMarkers(unit: ProtectedUnit, answer: string, target: LanguageTag): string {
  if (unit.markers.size === 0 || UNSPACED.has(target.language)) return answer;
  const tokens = readAnswer(unit, answer);
  const gaps = [...gapsIn(unit, tokens, target.language)].toSorted((one, other) => one - other);
  if (gaps.length === 0) return answer;
  const { notation } = unit;
  let next = 0;
  let written = '';
  for (const [index, token] of tokens.entries()) {
    if (gaps[next] === index) {
      written += ' ';
      next += 1;
    }
    written += token.kind === 'text' ? notation.escape(token.text) : notation.write(token.kind, token.number);
  }
  return written;
}

/** Before which tokens a blank is missing. */
function gapsIn(unit: ProtectedUnit, tokens: readonly MarkedToken[], language: string): Set<number> {
  const gaps = new Set<number>();
  const blanks = blanksIn(unit.tokens);
  const closes = new Map(tokens.flatMap((token, index) => (token.kind === 'close' ? [[token.number, index]] : [])));
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'single' && token.kind !== 'open') continue;
    const own = blanks.get(token.number);
    if (!own) continue;
    if (token.kind === 'single') {
      if (isTerm(unit, token.number)) continue;
      const [before, behind] = [textAt(tokens, index - 1), textAt(tokens, index + 1)];
      if (own.before && !WITH_PREFIXES.has(language) && WORD_BEFORE.test(before)) gaps.add(index);
      if (own.behind && !WITH_ENDINGS.has(language) && WORD_BEHIND.test(behind)) gaps.add(index + 1);
      continue;
    }
    const close = closes.get(token.number) ?? -1;
    const isLost = [
      own.before && LETTER_BEFORE.test(textAt(tokens, index - 1)) && LETTER_BEHIND.test(textAt(tokens, index + 1)),
      own.behind && LETTER_BEFORE.test(textAt(tokens, close - 1)) && LETTER_BEHIND.test(textAt(tokens, close + 1)),
    ];
    if (COMPOUNDING.has(language) && isLost.includes(false)) continue;
    if (isLost[0]) gaps.add(index);
    if (isLost[1]) gaps.add(close + 1);
  }
  return gaps;
}

/** Whether white space stands right before and right behind each marker; of a pair, around it. */
function blanksIn(tokens: readonly MarkedToken[]): Map<number, { before: boolean; behind: boolean }> {
  const blanks = new Map<number, { before: boolean; behind: boolean }>();
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'text') continue;
    const own = blanks.get(token.number) ?? { before: false, behind: false };
    if (token.kind !== 'close') own.before = /\s$/.test(textAt(tokens, index - 1));
    if (token.kind !== 'open') own.behind = /^\s/.test(textAt(tokens, index + 1));
    blanks.set(token.number, own);
  }
  return blanks;
}

function textAt(tokens: readonly MarkedToken[], index: number): string {
  const token = tokens[index];
  return token?.kind === 'text' ? token.text : '';
}

/** A term of the glossary may be a part of a compound. */
function isTerm({ markers }: ProtectedUnit, number: number): boolean {
  const marker = markers.get(number);
  return marker?.kind === 'single' && marker.term !== undefined;
}
