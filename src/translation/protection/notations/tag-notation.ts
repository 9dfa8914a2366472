import { decodeHTMLStrict } from 'entities';
import type { MarkedToken, MarkerNotation } from '../marker-notation.js';

/** How tags are written. */
export interface TagNotationOptions {
  /** The element of pairs; default `g`. */
  readonly pair?: string;
  /** The element of single markers; default `x`. */
  readonly single?: string;
  /** Whether the single element is void, as HTML's `<br>`, or written `<x id="1"/>`; default: `xml`. */
  readonly syntax?: 'xml' | 'html-void' | 'html';
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Makes a notation of tags, for engines that take HTML or XML: `<g id="1">…</g>` and `<x id="2"/>`. Text is escaped, and
 * entities of the answer are decoded. An end tag has no number: it ends the pair that was begun last.
 */
export function createTagNotation({
  pair = 'g',
  single = 'x',
  syntax = 'xml',
}: TagNotationOptions = {}): MarkerNotation {
  const singleEnd = { xml: '/>', 'html-void': '>', html: `></${single}>` }[syntax];
  const tag = new RegExp(
    String.raw`<\s{0,3}(?:(?<name>${pair}|${single})\s{1,3}id\s{0,3}=\s{0,3}["'“”„«»]?\s{0,3}(?<number>\d{1,7})\s{0,3}["'“”„«»]?\s{0,3}(?<empty>/?)|/\s{0,3}(?<end>${pair}|${single}))\s{0,3}>`,
    'giu',
  );
  return {
    instruction:
      `Tags such as <${single} id="1"${singleEnd} and <${pair} id="2">…</${pair}> stand for markup. Keep every tag ` +
      'exactly once, unchanged, where it belongs in the translation.',
    write: (kind, number) => {
      if (kind === 'single') return `<${single} id="${number}"${singleEnd}`;
      return kind === 'open' ? `<${pair} id="${number}">` : `</${pair}>`;
    },
    escape: (text) => text.replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? character),
    read: (answer) => readTags(answer, tag, pair.toLowerCase()),
  };
}

function readTags(answer: string, tag: RegExp, pair: string): MarkedToken[] {
  const tokens: MarkedToken[] = [];
  const opened: number[] = [];
  let end = 0;
  for (const found of answer.matchAll(tag)) {
    if (found.index > end) tokens.push({ kind: 'text', text: decodeHTMLStrict(answer.slice(end, found.index)) });
    end = found.index + found[0].length;
    const { name = '', number = '', empty = '', end: ended = '' } = found.groups ?? {};
    if (ended !== '') {
      // The end tag of a single marker says nothing; one too many of a pair is a marker that nobody knows.
      if (ended.toLowerCase() === pair) tokens.push({ kind: 'close', number: opened.pop() ?? 0 });
    } else if (name.toLowerCase() !== pair) {
      tokens.push({ kind: 'single', number: Number(number) });
    } else {
      tokens.push({ kind: 'open', number: Number(number) });
      if (empty === '') opened.push(Number(number));
      else tokens.push({ kind: 'close', number: Number(number) });
    }
  }
  if (end < answer.length) tokens.push({ kind: 'text', text: decodeHTMLStrict(answer.slice(end)) });
  return tokens;
}
