import { randomInt } from 'node:crypto';
import type { TextSpan } from '../../platform/text/text-span.js';

const KEY_LENGTH = 12;
const LETTERS = 26;
const SOURCE_CHARACTERS = 500;
const OPENING = /<passage-([a-z]{12}) n="1" from="/;

/** A passage of a document, and where it is from, such as the name of the document. */
export interface SourcedPassage {
  readonly source: string;
  readonly text: string;
}

/** A passage of a prompt, under the number by which a model names it. */
export interface NumberedPassage {
  readonly number: number;
  readonly text: string;
}

/** A random key that no document can know. */
export function newFenceKey(): string {
  return Array.from({ length: KEY_LENGTH }, () => String.fromCharCode(97 + randomInt(LETTERS))).join('');
}

/**
 * Writes passages of documents into a prompt, numbered from 1. They are fenced with a key that none of them can know, so
 * that none ends its own fence, or begins another.
 */
export function fencePassages(passages: readonly SourcedPassage[], key = newFenceKey()): string {
  return passages
    .map(({ source, text }, index) => `${opening(key, index + 1)} from="${plain(source)}">\n${text}${closing(key)}`)
    .join('');
}

/** The passages that `fencePassages` has written into a text, in their order; none where there are none. */
export function readPassages(text: string): NumberedPassage[] {
  // The first one of a text is before anything that a document says.
  return fencesIn(text, OPENING.exec(text)?.[1] ?? '').map(({ inside }, index) => ({
    number: index + 1,
    text: text.slice(inside.start, inside.end),
  }));
}

/** The text with so many of the passages that are fenced with a key, the first ones. */
export function keepPassages(text: string, key: string, count: number): string {
  const gone = fencesIn(text, key).slice(count);
  return text.slice(0, gone[0]?.whole.start) + text.slice(gone.at(-1)?.whole.end ?? text.length);
}

/** Where passages stand, with their fences and without. */
function fencesIn(text: string, key: string): { readonly whole: TextSpan; readonly inside: TextSpan }[] {
  const fences: { whole: TextSpan; inside: TextSpan }[] = [];
  for (let from = 0; key !== '';) {
    const opened = opening(key, fences.length + 1);
    const start = text.indexOf(opened, from);
    const inside = start < 0 ? 0 : text.indexOf('\n', start) + 1;
    const closed = inside === 0 ? -1 : text.indexOf(closing(key), inside);
    if (closed < 0) break;
    from = closed + closing(key).length;
    fences.push({ whole: { start, end: from }, inside: { start: inside, end: closed } });
  }
  return fences;
}

/** What begins an opening; it says where the passage is from, and ends its line. */
function opening(key: string, number: number): string {
  return `<passage-${key} n="${number}"`;
}

function closing(key: string): string {
  return `\n</passage-${key}>\n`;
}

/** In one line, and without what ends an attribute. */
function plain(source: string): string {
  return source
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}"<>]+/gu, ' ')
    .slice(0, SOURCE_CHARACTERS)
    .toWellFormed();
}
