import { expect, it } from '@jest/globals';
import { bracketNotation } from '../../../src/translation/protection/notations/bracket-notation.js';
import { protect } from '../../../src/translation/protection/protect.js';
import { restore } from '../../../src/translation/protection/restore.js';

it.each(pieces())('takes time in proportion to a text, also to one of %j', (piece) => {
  const few = piece.repeat(Math.ceil((1 << 16) / piece.length));
  const inProportion = 16 * Math.max(timeOf(few), 50);

  // Time in square would be 256 times that of the sixteenth.
  expect(timeOf(few.repeat(16))).toBeLessThan(4 * inProportion);
});

/** Milliseconds of processor time that a text takes, there and back. */
function timeOf(text: string): number {
  const before = process.cpuUsage();
  const glossary = [{ source: 'a a a a b', target: 'x' }];
  const unit = protect([{ kind: 'text', text }], { notation: bracketNotation, glossary });
  restore(unit, unit.text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** What texts are made of that a search could take long for. */
function pieces(): string[] {
  return [
    ...'< { % & a 1 . @ a@ a. ⟦ [ www. <!-- $t( {a: {a|a {#a {a() {a[ %[1] %0[ %< %,'.split(' '),
    ...'%#@ %#@a \\( \\(a \\(a, *| *|a @: @:a. @.a: {| {- {-a {A( {$a {$a: %%a <#a <@ %1! $( $(a $t(( {a("'.split(' '),
    '<a ',
    '{a, plural, ',
    '{a, plural, one {',
    "'{",
    '1 ',
    '- ',
    '€ ',
    '{# ',
    '{# #',
    '{$a :b ',
    '%(a ',
    '{ -a ',
  ];
}
