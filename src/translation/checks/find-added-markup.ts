import type { MarkedToken, MarkerNotation } from '../protection/marker-notation.js';
import { findProtectedSpans, TOP_LEVEL } from '../protection/protected-spans.js';
import type { GlossaryTerm, ProtectedUnit } from '../protection/protected-unit.js';
import { markerText } from './marker-text.js';
import { PRINTF } from './placeholder-kinds.js';
import type { TranslationFault } from './translation-fault.js';

/** What a browser takes for the beginning of a tag, whether it ends or not. */
const TAG_START = /<[a-z!/?]/giu;
/**
 * Controls but tabs and line feeds, what changes the order in which text is shown or hides in it, and what stands for
 * characters that are none. Marks of direction, joiners and breaks without a space belong to some languages.
 */
const CONTROLS = /(?![\t\n])\p{Cc}|[\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffd\u{e0000}-\u{e007f}]/gu;

/** Names of servers whose ends are words, too: in a source they may be two sentences without a space between them. */
const WORDLIKE_HOST =
  /(?<![\p{L}\p{N}_@./\\-])(?:[\p{Ll}\p{N}](?:[\p{Ll}\p{N}-]{0,61}[\p{Ll}\p{N}])?\.){1,6}(?:me|co|us|at|it|in|to|be|is)(?![\p{L}\p{N}-]|\.[\p{L}\p{N}])/gu;

/** Full stops that browsers take for those of names. */
const WIDE_HOST = new RegExp(String.raw`[A-Za-z\d-]{1,63}[．。｡](?:${TOP_LEVEL})(?![A-Za-z\d])`, 'gu');
const MOST_KNOWN = 50;

/**
 * Finds what an engine has put in of what must come back as it is: tags, placeholders, addresses, code. That of the source
 * is markers. A number with a unit may be written in another way in another language.
 */
export function findAddedMarkup(
  unit: ProtectedUnit,
  answer: readonly MarkedToken[],
  glossary: readonly GlossaryTerm[],
): TranslationFault[] {
  const [source, written] = [textOf(unit.tokens), textOf(answer)];
  if (hasMore(source, written, CONTROLS)) {
    const message = 'The translation has control characters that are not in the source: add none.';
    return [{ code: 'markup_added', message }];
  }
  if (hasMore(source, written, /%/g) && isPrintf(unit)) {
    const message = 'A percent sign is a placeholder in this text: write it as the source does, or as a word.';
    return [{ code: 'markup_added', message }];
  }
  if (!hasMore(source, written, TAG_START) && !hasOwnSpan(unit, answer, source, glossary)) return [];
  const message = 'The translation has a tag, a placeholder or an address that is not in the source: add none.';
  return [{ code: 'markup_added', message }];
}

function isPrintf(unit: ProtectedUnit): boolean {
  return unit.tokens.some((token) => PRINTF.test(markerText(unit, token) ?? ''));
}

function hasOwnSpan(
  { notation }: ProtectedUnit,
  answer: readonly MarkedToken[],
  source: string,
  glossary: readonly GlossaryTerm[],
): boolean {
  let known = 0;
  for (const token of answer) {
    if (token.kind !== 'text') continue;
    for (const span of spansIn(token.text, notation)) {
      known += 1;
      // The source has few that are no markers.
      if (known > MOST_KNOWN) return true;
      if (!source.includes(span) && !glossary.some(({ target }) => target.includes(span))) return true;
    }
  }
  return false;
}

function* spansIn(text: string, notation: MarkerNotation): Generator<string> {
  for (const { start, end, isNumber } of findProtectedSpans(text, notation)) {
    if (!isNumber) yield text.slice(start, end);
  }
  for (const hosts of [WORDLIKE_HOST, WIDE_HOST]) for (const [host] of text.matchAll(hosts)) yield host;
}

function hasMore(source: string, answer: string, what: RegExp): boolean {
  const found = answer.match(what)?.length ?? 0;
  return found > 0 && found > (source.match(what)?.length ?? 0);
}

function textOf(tokens: readonly MarkedToken[]): string {
  return tokens.map((token) => (token.kind === 'text' ? token.text : ' ')).join('');
}
