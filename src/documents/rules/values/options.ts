import { wordsOfName } from '../labels/concept-of.js';
import { toLabelTokens } from '../labels/label-tokens.js';
import type { LabelToken } from '../labels/label-tokens.js';
import type { RawValue } from './raw-value.js';

/** So much of a text is looked at, in words and in UTF-16 units. */
const LOOKED_AT = 12;
const LOOKED_AT_UNITS = 400;

/** A value that a field may have. */
export type Option = string | number | boolean;

/** The options of a field by the first of their words, the longest first; made once for each field. */
const prepared = new WeakMap<readonly Option[], ReadonlyMap<string, readonly { known: Option; keys: string[] }[]>>();

/** The first place at which a text names one of the options, compared as labels are; of several there, the longest. */
export function findOption(options: readonly Option[], text: string): RawValue[] {
  const tokens = toLabelTokens(text.slice(0, LOOKED_AT_UNITS)).slice(0, LOOKED_AT);
  for (const found of placesOf(options, tokens)) return [found];
  return [];
}

/** As `findOption` does, all places, which may overlap. */
export function findOptions(options: readonly Option[], text: string): RawValue[] {
  return [...placesOf(options, toLabelTokens(text.slice(0, LOOKED_AT_UNITS)))];
}

function* placesOf(options: readonly Option[], tokens: readonly LabelToken[]): Generator<RawValue> {
  const byFirst = prepared.get(options) ?? prepare(options);
  for (const [first, token] of tokens.entries()) {
    const option = byFirst
      .get(token.key)
      ?.find((some) => some.keys.every((key, index) => tokens[first + index]?.key === key));
    const last = option && tokens[first + option.keys.length - 1];
    if (option && last) yield { start: token.start, end: last.end, known: option.known };
  }
}

function prepare(options: readonly Option[]): ReadonlyMap<string, readonly { known: Option; keys: string[] }[]> {
  const byFirst = new Map<string, { known: Option; keys: string[] }[]>();
  for (const known of options) {
    const keys = toLabelTokens(wordsOfName(String(known))).map(({ key }) => key);
    const [first] = keys;
    if (first === undefined) continue;
    const others = byFirst.get(first);
    if (others) others.push({ known, keys });
    else byFirst.set(first, [{ known, keys }]);
  }
  for (const some of byFirst.values()) some.sort((one, other) => other.keys.length - one.keys.length);
  prepared.set(options, byFirst);
  return byFirst;
}
