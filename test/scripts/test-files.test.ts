import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

describe('a test file', () => {
  it('shows its first case after a dozen lines, imports not counted', () => {
    const files = globSync('test/**/*.test.ts', { exclude: ['**/node_modules/**'] });

    const late = files.filter((file) => linesBeforeFirstCase(readFileSync(file, 'utf8')) > 12);

    // Builders of test/support arrange; helpers and long tables stand behind the cases.
    expect(late).toEqual([]);
  });
});

/** Counts neither imports nor blank lines. */
function linesBeforeFirstCase(text: string): number {
  const lines = text.replace(/^import [^;]*;\n/gm, '').split('\n');
  const first = lines.findIndex((line) => /^\s*(\w+\.)?(it|test)(\.\w+)*[(<]/.test(line));
  return lines.slice(0, first < 0 ? undefined : first).filter((line) => line.trim() !== '').length;
}
