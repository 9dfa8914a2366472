import { runSteps } from '../../platform/async/run-steps.js';
import type { MarkedToken } from './marker-notation.js';
import type { ProtectedUnit } from './protected-unit.js';

/** Tokens of one step. */
const STEP = 1_000;
const LETTER = /\p{L}/u;
const START_SPACE = /^\s+/;

type UnitParts = Pick<ProtectedUnit, 'tokens' | 'markers' | 'notation' | 'branchOf'> &
  Partial<Pick<ProtectedUnit, 'before' | 'after'>>;

/**
 * Makes a unit of tokens: white space at their ends, and pairs that hold all of them, stand around what the engine sees.
 * `before` and `after` are kept around those.
 */
export function toProtectedUnit(parts: UnitParts): ProtectedUnit {
  return runSteps(protectedUnitSteps(parts));
}

/** The same in steps, so that others can have their turn. */
export function* protectedUnitSteps({
  tokens: all,
  before = [],
  after = [],
  ...unit
}: UnitParts): Generator<void, ProtectedUnit> {
  const tokens = [...all];
  const [outerBefore, outerAfter]: MarkedToken[][] = [[], []];
  let [start, end] = [0, tokens.length];
  for (;;) {
    const [first, last] = [tokens[start], tokens[end - 1]];
    if (start >= end || !first || !last) break;
    const leading = first.kind === 'text' ? (START_SPACE.exec(first.text)?.[0] ?? '') : '';
    const trailing = last.kind === 'text' ? last.text.slice(last.text.trimEnd().length) : '';
    if (first.kind === 'text' && leading.length === first.text.length) {
      outerBefore?.push(first);
      start += 1;
    } else if (last.kind === 'text' && trailing.length === last.text.length) {
      outerAfter?.push(last);
      end -= 1;
    } else if (first.kind === 'text' && leading !== '') {
      outerBefore?.push({ kind: 'text', text: leading });
      tokens[start] = { kind: 'text', text: first.text.slice(leading.length) };
    } else if (last.kind === 'text' && trailing !== '') {
      outerAfter?.push({ kind: 'text', text: trailing });
      tokens[end - 1] = { kind: 'text', text: last.text.slice(0, -trailing.length) };
    } else if (first.kind === 'open' && last.kind === 'close' && first.number === last.number) {
      outerBefore?.push(first);
      outerAfter?.push(last);
      start += 1;
      end -= 1;
    } else break;
  }
  const inner = tokens.slice(start, end);
  const { notation } = unit;
  let text = '';
  for (const [index, token] of inner.entries()) {
    text += token.kind === 'text' ? notation.escape(token.text) : notation.write(token.kind, token.number);
    if (index % STEP === STEP - 1) yield;
  }
  return {
    ...unit,
    tokens: inner,
    before: [...before, ...(outerBefore ?? [])],
    after: [...(outerAfter ?? []).reverse(), ...after],
    text,
    isTranslatable: inner.some((token) => token.kind === 'text' && LETTER.test(token.text)),
  };
}
