import type { TextSpan } from '../../platform/text/text-span.js';

/** The value of an attribute, and its place in the document, without its quotes. */
export interface AttributeValue extends TextSpan {
  readonly name: string;
  readonly value: string;
  /** The character around it; '' where there is none. */
  readonly quote: '"' | "'" | '';
}

/** Attributes whose values people read. */
export const TRANSLATED_ATTRIBUTES: ReadonlySet<string> = new Set(['alt', 'title', 'placeholder', 'aria-label']);

const EQUALS = /[ \t\n\f\r]*=[ \t\n\f\r]*/y;

/**
 * Finds where the value of an attribute stands.
 * @param place of the whole attribute, from its name on
 * @returns undefined where it has no value
 */
export function locateValue(html: string, name: string, value: string, place: TextSpan): AttributeValue | undefined {
  EQUALS.lastIndex = place.start + name.length;
  if (!EQUALS.test(html)) return undefined;
  const start = EQUALS.lastIndex;
  const quote = html.charAt(start);
  if (quote !== '"' && quote !== "'")
    return start < place.end ? { name, value, start, end: place.end, quote: '' } : undefined;
  const isEnded = html.charAt(place.end - 1) === quote && place.end - 1 > start;
  return isEnded ? { name, value, start: start + 1, end: place.end - 1, quote } : undefined;
}

const TEXT_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\u00a0': '&nbsp;',
};

/**
 * Escapes a text for HTML, so that it is a text wherever text may stand. Characters that HTML has no place for are left out.
 * @param quotes those that stay as they are
 */
export function escapeText(text: string, quotes: readonly string[]): string {
  return escape(text, /[&<>"'\u00a0]/g, quotes);
}

/** Writes the value of an attribute, with quotes where it had none. */
export function writeValue(text: string, quote: AttributeValue['quote']): string {
  const escaped = escape(text, /[&<>"'\u00a0]/g);
  return quote === '' ? `"${escaped}"` : escaped;
}

/** What is written in another way, or left out; most texts have none of it. */
const UNUSUAL = /[&<>"'\u00a0]|(?![\t\n\f\r])[\p{Cc}\ufffe\uffff]/u;
const NO_CHARACTER = /(?![\t\n\r\f])[\p{Cc}\ufffe\uffff]/gu;

function escape(text: string, characters: RegExp, kept: readonly string[] = []): string {
  const wellFormed = text.toWellFormed();
  if (!UNUSUAL.test(wellFormed)) return wellFormed;
  return wellFormed
    .replaceAll(NO_CHARACTER, '')
    .replaceAll(characters, (character) =>
      kept.includes(character) ? character : (TEXT_ESCAPES[character] ?? character),
    );
}
