import type { InlinePart, InlineText } from '../units/inline-text.js';
import { joinInlineTexts } from '../units/join-inline-texts.js';
import type { MarkedToken } from './marker-notation.js';
import { placeMarkers } from './place-markers.js';
import type { MarkerContent, MessageContent, MessageKind, ProtectedUnit } from './protected-unit.js';
import { readAnswer } from './read-answer.js';

/** What an engine answered for a unit, in the notation of the unit. */
export type AnswerOf = (unit: ProtectedUnit) => string;

/** The unit and all branches of its messages, outermost first: what is to be translated by itself. */
export function unitsWithin(unit: ProtectedUnit): ProtectedUnit[] {
  const units = [unit];
  for (const { tokens, before, after, markers } of units) {
    for (const token of [...before, ...tokens, ...after]) {
      const marker = token.kind === 'single' ? markers.get(token.number) : undefined;
      if (marker?.kind !== 'single' || marker.content.kind !== 'message') continue;
      // One by one: a message may have more branches than a call takes arguments.
      for (const part of marker.content.parts) if (typeof part !== 'string') units.push(part);
    }
  }
  return units;
}

/**
 * Puts back what the markers stand for.
 * @param answer what the engine wrote for the unit, or for any of `unitsWithin`; a text alone leaves branches as they are
 * @throws RangeError where a marker is not there once or a pair is not nested: `checkTranslation` tells it before
 */
export function restore(unit: ProtectedUnit, answer: string | AnswerOf): InlineText {
  const answerOf: AnswerOf = typeof answer === 'string' ? (asked) => (asked === unit ? answer : asked.text) : answer;
  const tokens = isAsItWas(unit, answerOf) ? unit.tokens : trimmed(readAnswer(unit, answerOf(unit)));
  if (!placeMarkers(unit, tokens).isWhole) throw new RangeError('The markers of the answer are not those of the unit.');
  return joinInlineTexts([toInline(unit, tokens, answerOf)]);
}

function isAsItWas(unit: ProtectedUnit, answerOf: AnswerOf): boolean {
  return !unit.isTranslatable || answerOf(unit) === unit.text;
}

/** White space around an answer is not the engine's to add: the unit has its own around it. */
function trimmed(tokens: readonly MarkedToken[]): MarkedToken[] {
  return tokens.map((token, index) => {
    if (token.kind !== 'text') return token;
    let { text } = token;
    if (index === 0) text = text.trimStart();
    if (index === tokens.length - 1) text = text.trimEnd();
    return { kind: 'text', text };
  });
}

function toInline(unit: ProtectedUnit, answered: readonly MarkedToken[], answerOf: AnswerOf): InlinePart[] {
  const tokens = [...unit.before, ...answered, ...unit.after];
  // What stands around a message is read as one, too.
  const messageKind = unit.branchOf ?? (hasMessage(unit.markers) ? 'select' : undefined);
  const branchOf = isAsItWas(unit, answerOf) ? undefined : messageKind;
  return tokens.flatMap((token, index): InlinePart[] => {
    if (token.kind === 'text') {
      const isAnswered = index >= unit.before.length && index < unit.before.length + answered.length;
      if (branchOf === undefined || !isAnswered) return [token];
      return [{ kind: 'text', text: toBranchText(token.text, branchOf, tokens[index + 1]?.kind !== 'text') }];
    }
    const content = contentOf(unit, token);
    if (!content) return [];
    if (messageKind && content.kind === 'text' && isTerm(unit, token.number))
      return [{ kind: 'text', text: toBranchText(content.text, messageKind, tokens[index + 1]?.kind !== 'text') }];
    return [content.kind === 'message' ? toMessage(content, answerOf) : content];
  });
}

const withMessages = new WeakMap<ProtectedUnit['markers'], boolean>();

/** Whether a unit, or the one that it is a piece of, has a message: looked for once, as a unit may have many pieces. */
function hasMessage(markers: ProtectedUnit['markers']): boolean {
  let has = withMessages.get(markers);
  if (has === undefined) {
    has = markers.values().some((marker) => marker.kind === 'single' && marker.content.kind === 'message');
    withMessages.set(markers, has);
  }
  return has;
}

function isTerm({ markers }: ProtectedUnit, number: number): boolean {
  const marker = markers.get(number);
  return marker?.kind === 'single' && marker.term !== undefined;
}

function contentOf(
  { markers }: ProtectedUnit,
  token: Exclude<MarkedToken, { kind: 'text' }>,
): MarkerContent | undefined {
  const marker = markers.get(token.number);
  if (marker?.kind === 'single') return marker.content;
  return token.kind === 'close' ? marker?.close : marker?.open;
}

function toMessage({ parts }: MessageContent, answerOf: AnswerOf): InlinePart {
  const texts = parts.map((part) => {
    if (typeof part === 'string') return part;
    // A branch is a text alone, and so is what it is restored to.
    return restore(part, answerOf)
      .map((inline) => (inline.kind === 'text' ? inline.text : ''))
      .join('');
  });
  return { kind: 'text', text: texts.join('') };
}

/** What an engine wrote that is syntax of a message, and the apostrophes beside it. The source has it in markers only. */
const SYNTAX = { select: /(?<!')('*)([{}]+)('*)/g, plural: /(?<!')('*)([{}#]+)('*)/g };
const LAST_APOSTROPHES = /(?<![{}#'])'+$/;

/**
 * Quotes what an engine wrote that is syntax of a message. An apostrophe before a brace begins a quotation, as in
 * `d'{name}`, unless there are two.
 */
function toBranchText(text: string, kind: MessageKind, isBeforeSyntax: boolean): string {
  const last = isBeforeSyntax ? (LAST_APOSTROPHES.exec(text)?.[0] ?? '') : '';
  const quoted = text.replaceAll(
    kind === 'select' ? SYNTAX.select : SYNTAX.plural,
    (_, before: string, syntax: string, after: string) => `${before}${before}'${syntax}${after}${after}'`,
  );
  return last.length % 2 === 1 ? `${quoted}'` : quoted;
}
