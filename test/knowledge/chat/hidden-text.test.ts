import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { HiddenText } from '../../../src/knowledge/chat/hidden-text.js';

describe('what of a text a reader sees', () => {
  // A search that begins again at each line break would not end before the test does.
  it.each([
    ['line feeds', '\n'],
    ['line feeds of Windows', '\r\n'],
    ['line separators', '\u2028'],
    ['blank lines', '\n \n'],
    ['quotations', '>\n'],
    ['list items', '- \n'],
    ['numbers', '1.\n'],
    ['white space', '\t'],
    ['escaped line feeds', '[\\\n'],
    ['backticks', '`'],
    ['tildes', '~'],
    ['tildes between words', '~a '],
    ['fences', '```\t'],
  ])('is told in time in proportion to it: of %s', async (_what, shape) => {
    const text = shape.repeat(200_000 / shape.length);
    const hidden = new HiddenText();

    for (const end of ['', 'x', '[', 'x']) {
      hidden.add(text + end);
      await setImmediate();
    }
    hidden.add('\n\n');

    expect(hidden.shows('So it is.')).toBe(true);
  });
});
