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

const LENGTH = 100_000;
/** Of processor time. What takes time in proportion to the square of the length takes five times as much and more. */
const MOST_MS = 2_000;

const TEXTS = new Map([...hostileTexts(LENGTH), ...htmlTexts(LENGTH)]);

describe('in time in proportion to its length', () => {
  it.each(hostileTexts(LENGTH).map(([name]) => name))('a text is protected, cut, put back and checked: %s', (name) => {
    const text = TEXTS.get(name) ?? '';
    // The others are as long for each text; what differs is how an answer is read.
    const others = name.startsWith('[') ? [superblankNotation, createTagNotation()] : [];
    for (const notation of [bracketNotation, ...others]) {
      const took = processorMilliseconds(() => {
        const unit = protect([{ kind: 'text', text }], { notation });
        splitUnit(unit, 3_000);
        restore(unit, (asked) => (asked.isTranslatable ? `x ${asked.text}` : asked.text));
      });
      expect(took).toBeLessThan(MOST_MS);
    }
  });

  it.each(hostileTexts(LENGTH).map(([name]) => name))('a translation is checked that says: %s', (name) => {
    const text = TEXTS.get(name) ?? '';
    const source = protect([{ kind: 'text', text: 'The house 1 has 2,000 doors.' }], { notation: bracketNotation });
    const same = protect([{ kind: 'text', text }], { notation: bracketNotation });
    const took = processorMilliseconds(() => {
      checkTranslation({ source, answer: text, sourceLanguage: 'en', targetLanguage: 'es' });
      for (const answer of [`x ${text}`, same.text.replaceAll(/[1-5]/g, '6'), text.slice(0, LENGTH / 2)])
        checkTranslation({ source: same, answer, sourceLanguage: 'en', targetLanguage: 'pl' });
    });
    expect(took).toBeLessThan(2 * MOST_MS);
  });

  it.each(hostileTexts(LENGTH).map(([name]) => name))('a branch of a message is written that says: %s', (name) => {
    const text = TEXTS.get(name) ?? '';
    const message = protect([{ kind: 'text', text: '{n, plural, one {a dog} other {some dogs}}' }], {
      notation: bracketNotation,
    });
    const [, branch] = unitsWithin(message);
    const took = processorMilliseconds(() =>
      restore(message, (unit) => (unit === branch ? `x ${text.replaceAll(/[⟦⟧]/g, '')}` : unit.text)),
    );
    expect(took).toBeLessThan(MOST_MS);
  });

  it.each([...TEXTS.keys()])('HTML and a plain text is read and written: %s', (name) => {
    const text = TEXTS.get(name) ?? '';
    for (const html of [text, `<textarea>${text}</textarea>`, `<a title="${text.replaceAll('"', '')}">a</a>`]) {
      const took = processorMilliseconds(() => {
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
      });
      expect(took).toBeLessThan(MOST_MS);
    }
  });
});

function htmlTexts(length: number): [string, string][] {
  const attributes = Array.from({ length: length / 5 }, (_, index) => `a${index.toString(36)}`).join(' ');
  return [
    ['attributes of one tag', `<p ${attributes}>a`],
    ['attributes of many tags', `<p ${attributes.slice(0, 8_000)}>a`.repeat(10)],
    ['attributes that are one', `<p ${'a '.repeat(length / 2)}>a`],
  ];
}

function processorMilliseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
