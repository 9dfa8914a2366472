import { expect, it } from '@jest/globals';
import { checkTranslation } from '../../../src/translation/checks/check-translation.js';
import { bracketNotation } from '../../../src/translation/protection/notations/bracket-notation.js';
import { protect } from '../../../src/translation/protection/protect.js';

it.each([
  '//a.b ',
  '//',
  'https:',
  '\\\\a.',
  'a.me ',
  'a.',
  'minus 5 ',
  '5 dozen ',
  '$a ',
  "bank.com'a.",
  '5 kg(',
  '{n} mil ',
])('the check of a translation takes time in proportion to the text: %j', (piece) => {
  const text = piece.repeat(Math.ceil((1 << 18) / piece.length));
  const before = process.cpuUsage();

  const source = protect([{ kind: 'text', text }], { notation: bracketNotation });
  checkTranslation({ source, answer: text, sourceLanguage: 'en', targetLanguage: 'de' });

  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(5_000);
});
