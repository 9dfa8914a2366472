import { expect, it } from '@jest/globals';
import { bracketNotation } from '../../../src/translation/protection/notations/bracket-notation.js';
import { protectSteps } from '../../../src/translation/protection/protect.js';
import { readTextSteps } from '../../../src/translation/texts/text-units.js';
import type { TextFormat } from '../../../src/translation/texts/text-units.js';
import { splitSteps } from '../../../src/translation/units/split-unit.js';
import { CountedTurns } from '../../support/probes/counted-turns.js';

const MOST = 20_000;

it.each<[what: string, part: string, format: TextFormat, count: number]>([
  ['blocks', '<p>abc', 'html', 2_000],
  // A block of 8,000 parts is four units.
  ['pairs of one block', 'ab <b>abc</b>', 'html', 4],
  ['lines', 'abc\n', 'text', 2_000],
  ['lines that open braces', '{\n', 'text', 2_000],
])('lets others have their turn while it reads and writes many %s', async (_what, part, format, count) => {
  const text = part.repeat(2_000);
  const reading = new CountedTurns();
  const writing = new CountedTurns();

  const { units, write } = await reading.finish(readTextSteps(text, format, MOST));
  const written = await writing.finish(write(units));

  expect(units).toHaveLength(count);
  expect(written).toBe(text);
  expect(reading.count).toBeGreaterThanOrEqual(Math.max(count, text.length / 16_384));
  expect(writing.count).toBeGreaterThanOrEqual(count);
});

it.each([
  ['attribute', `<p title="${'ab '.repeat(300_000)}">ab`],
  ['name of an attribute', `<p ${'a'.repeat(900_000)}>ab`],
  ['attribute that is repeated', `<p ${'a '.repeat(400_000)}>ab`],
  ['name of a tag', `<${'a'.repeat(900_000)}>ab`],
  ['comment', `ab<!--${'a'.repeat(900_000)}-->`],
  ['text', `<p>${'a'.repeat(900_000)}`],
  ['depth', `${'<div>'.repeat(180_000)}ab`],
])('lets others have their turn within one long %s', async (_what, html) => {
  const reading = new CountedTurns();

  const { units } = await reading.finish(readTextSteps(html, 'html', MOST));

  expect(units.length).toBeGreaterThan(0);
  expect(reading.count).toBeGreaterThanOrEqual(html.length / 10_000);
});

it('reads on for no tag with more than a thousand attributes, however many it has', async () => {
  const [few, many] = [new CountedTurns(), new CountedTurns()];
  const tagOf = (count: number): string => `<p ${Array.from({ length: count }, (_, index) => `a${index}`).join(' ')}>`;

  const read = await few.finish(readTextSteps(`<p>ab${tagOf(999)}cd</p>${tagOf(2_000)}ef`, 'html', MOST));
  await many.finish(readTextSteps(`<p>ab${tagOf(999)}cd</p>${tagOf(205_000)}ef`, 'html', MOST));

  expect(read.units).toEqual(['ab', 'cd'].map((text) => [{ kind: 'text', text }]));
  expect(many.count).toBe(few.count);
});

it.each<[format: TextFormat, part: string]>([
  ['html', '<p>abc'],
  ['text', 'abc\n'],
])('reads no more of a text than the units that are wanted: %s', async (format, part) => {
  const [short, long] = [new CountedTurns(), new CountedTurns()];

  await short.finish(readTextSteps(part.repeat(10_000), format, 100));
  const { units } = await long.finish(readTextSteps(part.repeat(100_000), format, 100));

  expect(units.length).toBeGreaterThan(100);
  expect(long.count).toBe(short.count);
});

it.each([
  ['placeholders', 'a {name} ', 2_000],
  ['messages', '{n, plural, one {a dog} other {dogs}} ', 4_000],
  ['terms', 'the term ', 20],
])('lets others have their turn while it protects many %s, and cuts what is too long', async (_what, part, least) => {
  const [protecting, cutting] = [new CountedTurns(), new CountedTurns()];
  const options = { notation: bracketNotation, glossary: [{ source: 'term', target: 'Begriff' }] };

  const unit = await protecting.finish(protectSteps([{ kind: 'text', text: part.repeat(2_000) }], options));
  const pieces = await cutting.finish(splitSteps(unit, 1_000));

  expect(protecting.count).toBeGreaterThanOrEqual(least);
  expect(cutting.count).toBeGreaterThanOrEqual(pieces.length);
});
