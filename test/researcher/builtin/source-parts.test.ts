import { expect, it } from '@jest/globals';
import { sourceParts } from '../../../src/researcher/builtin/source-parts.js';

it.each([
  [
    'a short line is the term of what follows',
    'port (integer)\n\nThe port. It is 5432.',
    [['port (integer)', 'The port. It is 5432.']],
  ],
  [
    'what stands before has none',
    'It begins.\n\nNext\n\nIt ends.',
    [
      [null, 'It begins.'],
      ['Next', 'It ends.'],
    ],
  ],
  ['of two lines the nearer one counts', 'Settings\n\nport\n\nThe port.', [['port', 'The port.']]],
  [
    'a row, a sentence, and lines that belong together are none',
    'a | b\n\nSo it is.\n\none\ntwo',
    [[null, 'a | b\n\nSo it is.\n\none\ntwo']],
  ],
  ['nothing has no parts', '', []],
])('%s', (_, text, expected) => {
  const parts = [...sourceParts(text)].filter((part) => part !== undefined);

  const told = parts
    .map(({ term, start, end }) => [term, text.slice(start, end).trim()])
    .filter(([, part]) => part !== '');
  expect(told).toEqual(expected);
});
