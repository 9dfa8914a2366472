import { describe, expect, it } from '@jest/globals';
import { checkTranslation } from '../../src/translation/checks/check-translation.js';
import { readHtmlUnits } from '../../src/translation/html/read-html-units.js';
import { bracketNotation } from '../../src/translation/protection/notations/bracket-notation.js';
import { superblankNotation } from '../../src/translation/protection/notations/superblank-notation.js';
import { createTagNotation } from '../../src/translation/protection/notations/tag-notation.js';
import { protect } from '../../src/translation/protection/protect.js';
import { restore, unitsWithin } from '../../src/translation/protection/restore.js';
import { readTextSteps } from '../../src/translation/texts/text-units.js';
import { runSteps } from '../../src/platform/async/run-steps.js';
import { splitUnit } from '../../src/translation/units/split-unit.js';
import { hostileTexts } from './fixtures/hostile-texts.js';
import { cpuGrowth, IN_PROPORTION } from '../support/probes/cpu-growth.js';

const LENGTH = 50_000;
const NAMES = hostileTexts(LENGTH).map(([name]) => name);

describe('in time in proportion to its length', () => {
  it.each(NAMES)('a text is protected, cut, put back and checked: %s', async (name) => {
    // The others are as long for each text; what differs is how an answer is read.
    const others = name.startsWith('[') ? [superblankNotation, createTagNotation()] : [];
    for (const notation of [bracketNotation, ...others]) {
      const growth = await cpuGrowth(LENGTH, textOf(name), (text) => {
        const unit = protect([{ kind: 'text', text }], { notation });
        splitUnit(unit, 3_000);
        restore(unit, (asked) => (asked.isTranslatable ? `x ${asked.text}` : asked.text));
      });
      expect(growth).toBeLessThan(IN_PROPORTION);
    }
  });

  it.each(NAMES)('a translation is checked that says: %s', async (name) => {
    const source = protect([{ kind: 'text', text: 'The house 1 has 2,000 doors.' }], { notation: bracketNotation });
    const growth = await cpuGrowth(LENGTH, textOf(name), (text) => {
      const same = protect([{ kind: 'text', text }], { notation: bracketNotation });
      checkTranslation({ source, answer: text, sourceLanguage: 'en', targetLanguage: 'es' });
      for (const answer of [`x ${text}`, same.text.replaceAll(/[1-5]/g, '6'), text.slice(0, text.length / 2)])
        checkTranslation({ source: same, answer, sourceLanguage: 'en', targetLanguage: 'pl' });
    });
    expect(growth).toBeLessThan(IN_PROPORTION);
  });

  it.each(NAMES)('a branch of a message is written that says: %s', async (name) => {
    const message = protect([{ kind: 'text', text: '{n, plural, one {a dog} other {some dogs}}' }], {
      notation: bracketNotation,
    });
    const [, branch] = unitsWithin(message);
    const growth = await cpuGrowth(LENGTH, textOf(name), (text) =>
      restore(message, (unit) => (unit === branch ? `x ${text.replaceAll(/[⟦⟧]/g, '')}` : unit.text)),
    );
    expect(growth).toBeLessThan(IN_PROPORTION);
  });

  it.each([...textsOf(LENGTH).keys()])('HTML and a plain text is read and written: %s', async (name) => {
    for (const htmlOf of [
      (text: string) => text,
      (text: string) => `<textarea>${text}</textarea>`,
      (text: string) => `<a title="${text.replaceAll('"', '')}">a</a>`,
    ]) {
      const growth = await cpuGrowth(LENGTH, (length) => htmlOf(textOf(name)(length)), readAndWrite);
      expect(growth).toBeLessThan(IN_PROPORTION);
    }
  });
});

function readAndWrite(html: string): void {
  const { units, write } = readHtmlUnits(html);
  write(
    new Map(
      units.map(({ id, inline }) => [
        id,
        inline.map((part) => (part.kind === 'text' ? { kind: 'text', text: `x${part.text}` } : part)),
      ]),
    ),
  );
  const plain = runSteps(readTextSteps(html, 'text', LENGTH));
  runSteps(plain.write(plain.units));
}

function textOf(name: string): (length: number) => string {
  return (length) => textsOf(length).get(name) ?? '';
}

function textsOf(length: number): ReadonlyMap<string, string> {
  return new Map([...hostileTexts(length), ...htmlTexts(length)]);
}

function htmlTexts(length: number): [string, string][] {
  const attributes = Array.from({ length: length / 5 }, (_, index) => `a${index.toString(36)}`).join(' ');
  return [
    ['attributes of one tag', `<p ${attributes}>a`],
    ['attributes of many tags', `<p ${attributes.slice(0, 8_000)}>a`.repeat(length / 10_000)],
    ['attributes that are one', `<p ${'a '.repeat(length / 2)}>a`],
  ];
}
