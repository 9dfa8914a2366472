import { expect, it } from '@jest/globals';
import { seen } from '../fixtures/seen-texts.js';

it.each([
  ['%[1]d of %[2]q, %#[1]x, %6.2[2]f', '⟦1⟧ of ⟦2⟧, ⟦3⟧, ⟦4⟧'],
  ["Hello {user.name()}, {user['name']}, {x: >10}", 'Hello ⟦1⟧, ⟦2⟧, ⟦3⟧'],
  ['{#if user}Hello{/if} {^all}{?query} {+path}', '⟦1⟧Hello⟦2⟧ ⟦3⟧⟦4⟧ ⟦5⟧'],
  ['%1$tY, %<tB, %<s, %#@items@, %1$#@files@, %arg, %1!s!', '⟦1⟧, ⟦2⟧, ⟦3⟧, ⟦4⟧, ⟦5⟧, ⟦6⟧, ⟦7⟧'],
  ['\\(name), \\(user.name), \\(price, specifier: "%.2f") and $(HOME)', '⟦1⟧, ⟦2⟧, ⟦3⟧ and ⟦4⟧'],
  ['See @:common.title, @:(a.b) and @.lower:key.', 'See ⟦1⟧, ⟦2⟧ and ⟦3⟧.'],
  ['{ -brand-name } { NUMBER($x, style: "percent") } {$n :number} {|a b|} {.Name}', '⟦1⟧ ⟦2⟧ ⟦3⟧ ⟦4⟧ ⟦5⟧'],
  ['{# a comment #} <#if user>Hello</#if> *|FNAME|* %%name%% $name$ {user.at(1)}', '⟦1⟧ ⟦2⟧Hello⟦3⟧ ⟦4⟧ ⟦5⟧ ⟦6⟧ ⟦7⟧'],
  ['$t(brand.$t(kind)) and %(first name)s', '⟦1⟧ and ⟦2⟧'],
])('the placeholders of %j are markers: %j', (text, shown) => {
  expect(seen(text)).toEqual([shown]);
});

it.each([
  "{he/she} {Stop!} {word(s)} {Yes | No} {don't go}",
  '{ this is prose } and { color: red; } too',
  'Eine zehn %ige Lösung, hundert %ig, fem %iga lösningar, denna %-sats, en %-del, moni %:lla',
  'In LaTeX \\(a + b\\) and \\(x\\) are math',
  'see [2], %[a], % [1] and { #1 }',
])('%j has no placeholder', (text) => {
  expect(seen(text)).toEqual([text]);
});
