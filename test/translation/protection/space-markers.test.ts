import { expect, it } from '@jest/globals';
import { bracketNotation } from '../../../src/translation/protection/notations/bracket-notation.js';
import { parseLanguageTag } from '../../../src/translation/languages/language-tag.js';
import { protect } from '../../../src/translation/protection/protect.js';
import { spaceMarkers } from '../../../src/translation/protection/space-markers.js';

it.each([
  ['fil', 'on %(city)s until', 'on⟦1⟧santol', 'on ⟦1⟧ santol'],
  ['es', 'The house of {name} is red.', 'La casa de⟦1⟧ es roja.', 'La casa de ⟦1⟧ es roja.'],
  ['es', 'Go to {city} at {time}.', 'Vaya a ⟦1⟧a las⟦2⟧.', 'Vaya a ⟦1⟧ a las ⟦2⟧.'],
  ['ru', 'The file %s is here', 'Файл⟦1⟧здесь', 'Файл ⟦1⟧ здесь'],
  ['es', 'the <b>red</b> house', 'la⟦1⟧roja⟦/1⟧casa', 'la ⟦1⟧roja⟦/1⟧ casa'],
  ['de', 'the <b>red</b> house', 'das⟦1⟧rote⟦/1⟧Haus', 'das ⟦1⟧rote⟦/1⟧ Haus'],
  ['es', 'the <b>red</b> house', 'la⟦1⟧roja⟦/1⟧ casa', 'la ⟦1⟧roja⟦/1⟧ casa'],
])('a blank beside a marker that was lost is put back: %s %s', (target, source, answer, spaced) => {
  expect(withBlanks(target, source, answer)).toBe(spaced);
});

it.each([
  ['de', 'the house of {name} is', '⟦1⟧s Haus ist'],
  ['de', 'the <b>front</b> door', 'die ⟦1⟧Haus⟦/1⟧tür'],
  ['hu', 'in {city} now', 'most ⟦1⟧ban'],
  ['tr', 'to {city} now', "şimdi ⟦1⟧'e"],
  ['fr', 'the house of {name}', "la maison d'⟦1⟧"],
  ['en', 'version %s', 'v⟦1⟧'],
  ['ja', 'Open {name} now', '今⟦1⟧Windowsを開く'],
  ['he', 'in {city} now', 'ב⟦1⟧ עכשיו'],
  ['es', 'pre{name} it', 'pre⟦1⟧ eso'],
])('what a language joins stays: %s %s', (target, source, answer) => {
  expect(withBlanks(target, source, answer)).toBe(answer);
});

function withBlanks(target: string, text: string, answer: string): string {
  const unit = protect([{ kind: 'text', text }], { notation: bracketNotation });
  return spaceMarkers(unit, answer, parseLanguageTag(target, 'target_language'));
}
