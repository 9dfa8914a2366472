import { expect, it } from '@jest/globals';
import { bracketNotation } from '../../../src/translation/protection/notations/bracket-notation.js';
import { protect } from '../../../src/translation/protection/protect.js';
import { restore } from '../../../src/translation/protection/restore.js';
import { cpuGrowth, IN_PROPORTION } from '../../support/probes/cpu-growth.js';

it.each(pieces())('takes time in proportion to a text, also to one of %j', async (piece) => {
  const growth = await cpuGrowth(
    (1 << 20) / piece.length,
    (count) => piece.repeat(Math.ceil(count)),
    (text) => {
      const glossary = [{ source: 'a a a a b', target: 'x' }];
      const unit = protect([{ kind: 'text', text }], { notation: bracketNotation, glossary });
      restore(unit, unit.text);
    },
  );

  expect(growth).toBeLessThan(IN_PROPORTION);
});

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
