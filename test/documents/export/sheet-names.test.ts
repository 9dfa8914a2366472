import { describe, expect, it } from '@jest/globals';
import { sheetNames } from '../../../src/documents/export/sheet-names.js';

describe('the names of sheets', () => {
  it.each([
    ['are the titles', ['documents', 'line_items', 'Größe-2.a'], ['documents', 'line_items', 'Größe-2.a']],
    ['have none of what Excel does not take', ["'a[b]*?:/\\'"], ['_a_b_______']],
    ['are cut', ['x'.repeat(40)], ['x'.repeat(31)]],
    ['are not cut within a character', [`${'x'.repeat(30)}𝐀`], ['x'.repeat(30)]],
    ['are never empty', ['', ' ', '\u200b'], ['_', '_ (2)', '_ (3)']],
    ['differ, whatever their case', ['Tags', 'tags', 'TAGS'], ['Tags', 'tags (2)', 'TAGS (3)']],
    ['are not the one that Excel keeps for itself', ['History'], ['History (2)']],
  ])('%s', (_what, titles, names) => {
    expect(sheetNames(titles)).toEqual(names);
  });
});
