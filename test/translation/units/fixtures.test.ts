import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Tokenizer } from 'parse5';
import type { TokenHandler } from 'parse5';
import { checkTranslation } from '../../../src/translation/checks/check-translation.js';
import type { MarkerNotation } from '../../../src/translation/protection/marker-notation.js';
import { bracketNotation } from '../../../src/translation/protection/notations/bracket-notation.js';
import { superblankNotation } from '../../../src/translation/protection/notations/superblank-notation.js';
import { createTagNotation } from '../../../src/translation/protection/notations/tag-notation.js';
import { protect } from '../../../src/translation/protection/protect.js';
import type { ProtectedUnit } from '../../../src/translation/protection/protected-unit.js';
import { restore, unitsWithin } from '../../../src/translation/protection/restore.js';
import type { InlineText } from '../../../src/translation/units/inline-text.js';
import { joinInlineTexts } from '../../../src/translation/units/join-inline-texts.js';
import { hasSameMarks } from '../../../src/translation/units/same-marks.js';
import { splitAtMarkers, splitUnit } from '../../../src/translation/units/split-unit.js';
import { openSegment, SEGMENTS, textOf } from '../fixtures/segments.js';

const NOTATIONS: Readonly<Record<string, MarkerNotation>> = {
  brackets: bracketNotation,
  tags: createTagNotation(),
  'tags of HTML': createTagNotation({ pair: 'span', single: 'br', syntax: 'html-void' }),
  superblanks: superblankNotation,
};

it('has 300 texts', () => {
  expect(SEGMENTS).toHaveLength(300);
});

describe.each(Object.entries(NOTATIONS))('with markers written as %s', (_, notation) => {
  it('gives the same bytes where the engine answers what it is given', () => {
    for (const segment of SEGMENTS) {
      const { units, write } = openSegment(segment);

      const translated = units.map((unit) => {
        const whole = protect(unit, { notation });
        return restore(whole, whole.text);
      });
      const inPieces = units.map((unit) =>
        joinInlineTexts(splitUnit(protect(unit, { notation }), 24).map((piece) => restore(piece, piece.text))),
      );
      const atMarkers = units.map((unit) =>
        joinInlineTexts(splitAtMarkers(protect(unit, { notation })).map((piece) => restore(piece, piece.text))),
      );

      expect(write(translated)).toBe(segment.text);
      expect(write(inPieces)).toBe(segment.text);
      expect(write(atMarkers)).toBe(segment.text);
    }
  });

  it('keeps the markup of all texts whole where the engine permutes the words', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 }), (draws) => {
        for (const segment of SEGMENTS) {
          const { units, write } = openSegment(segment);

          const translated = units.map((unit) => translate(protect(unit, { notation }), permute(draws)));

          for (const [index, unit] of units.entries()) expect(hasSameMarks(unit, translated[index] ?? [])).toBe(true);
          const written = write(translated);
          if (segment.format === 'html') expect(markupOf(written)).toEqual(markupOf(segment.text));
          else expect(keptIn(written)).toEqual(keptIn(segment.text));
        }
      }),
      { numRuns: 4 },
    );
  });
});

it('gives engines nothing of what must stay', () => {
  for (const segment of SEGMENTS) {
    for (const unit of openSegment(segment).units) {
      const seen = unitsWithin(protect(unit, { notation: bracketNotation })).map(({ text }) => text);

      expect(keptIn(seen.join('\n'))).toEqual([]);
      expect(textOf(unit).includes('{') && seen.some((text) => text.includes('{'))).toBe(false);
    }
  }
});

type Engine = (text: string) => string;

/** As a translator does: an answer whose markers are at fault is asked for again without any. */
function translate(unit: ProtectedUnit, engine: Engine): InlineText {
  const answers = new Map(unitsWithin(unit).map((each) => [each, engine(each.text)]));
  const isFaulty = ([source, answer]: [ProtectedUnit, string]): boolean =>
    checkTranslation({ source, answer, targetLanguage: 'und' }).some(({ code }) => code.startsWith('marker_'));
  if (![...answers].some(isFaulty)) return restore(unit, (asked) => answers.get(asked) ?? asked.text);
  const pieces = splitAtMarkers(unit).map((piece) =>
    restore(piece, (asked) =>
      asked.branchOf === undefined || asked.markers.size === 0 ? engine(asked.text) : asked.text,
    ),
  );
  return joinInlineTexts(pieces);
}

/** Moves the words of a text, and what is written as one word with them, by numbers that are drawn. */
function permute(draws: readonly number[]): Engine {
  return (text) =>
    text
      .split(' ')
      .map((word, index) => ({ word, key: draws[index % draws.length] ?? 0 }))
      .sort((a, b) => a.key - b.key)
      .map(({ word }) => word)
      .join(' ');
}

function markupOf(html: string): string[] {
  const tags: string[] = [];
  const add = (name: string, attributes: readonly { name: string }[]): unknown =>
    tags.push([name, ...attributes.map((attribute) => attribute.name)].join(' '));
  const handler: TokenHandler = {
    onStartTag: ({ tagName, attrs }) => add(tagName, attrs),
    onEndTag: ({ tagName }) => add(`/${tagName}`, []),
    onComment: ({ data }) => add(`!${data}`, []),
    onDoctype: () => undefined,
    onEof: () => undefined,
    onCharacter: () => undefined,
    onNullCharacter: () => undefined,
    onWhitespaceCharacter: () => undefined,
  };
  new Tokenizer({}, handler).write(html, true);
  return tags.sort();
}

/** What must be in a translation of a text as often as in the text. */
const KEPT = /\{\{[^{}]*\}\}|%\d\$s|%\(\w+\)s|<EMAIL_1>|https?:[^\s<>"')]+|mail@example\.com|\$\{\w+\}|#\{\w+\}/g;

function keptIn(text: string): string[] {
  return (text.match(KEPT) ?? []).sort();
}
