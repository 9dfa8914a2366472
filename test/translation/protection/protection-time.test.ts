import { expect, it } from '@jest/globals';
import { bracketNotation } from '../../../src/translation/protection/notations/bracket-notation.js';
import { protect } from '../../../src/translation/protection/protect.js';
import { restore } from '../../../src/translation/protection/restore.js';

it('takes time in proportion to a text, whatever it consists of', () => {
  const cpu = (text: string): number => {
    const before = process.cpuUsage();
    const unit = protect([{ kind: 'text', text }], {
      notation: bracketNotation,
      glossary: [{ source: 'a a a a b', target: 'x' }],
    });
    restore(unit, unit.text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };

  for (const piece of pieces()) {
    const few = piece.repeat(Math.ceil((1 << 15) / piece.length));
    const inProportion = 16 * Math.max(cpu(few), 50);
    // Time in square would be 256 times that of the sixteenth.
    expect({ piece, isInProportion: cpu(few.repeat(16)) < 4 * inProportion }).toEqual({ piece, isInProportion: true });
  }
}, 120_000);

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
