import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const FILES = globSync('test/**/*.test.ts', { exclude: ['**/node_modules/**'] });

describe('a test file', () => {
  it('shows its first case after a dozen lines, imports not counted', () => {
    const late = FILES.filter((file) => linesBeforeFirstCase(readFileSync(file, 'utf8')) > 12);

    // Builders of test/support arrange; helpers and long tables stand behind the cases.
    expect(late).toEqual([]);
  });

  it('names its suite by its suffix: none, .full or .proof', () => {
    const others = FILES.filter((file) => !/\/[a-z0-9-]+(\.full|\.proof)?\.test\.ts$/.test(file));

    expect(others).toEqual([]);
  });

  it('belongs to the full suite where all of its cases need a service or an installed program', () => {
    const misnamed = FILES.filter(
      (file) => file.endsWith('.test.ts') && !/\.(full|proof)\.test\.ts$/.test(file),
    ).filter((file) => needsServices(readFileSync(file, 'utf8')));

    expect(misnamed).toEqual([]);
  });
});

/** Counts neither imports nor blank lines. */
function linesBeforeFirstCase(text: string): number {
  const lines = text.replace(/^import [^;]*;\n/gm, '').split('\n');
  const first = lines.findIndex((line) => /^\s*(\w+\.)?(it|test)(\.\w+)*[(<]/.test(line));
  return lines.slice(0, first < 0 ? undefined : first).filter((line) => line.trim() !== '').length;
}

/** Whether all of a file's blocks run only where a service is there (`onRedis.describe` and the like). */
function needsServices(text: string): boolean {
  return /^on(?!Embedded|Vectors)\w+\.(describe|it)/m.test(text) && !/^(describe|it|test)\b|^onEmbedded/m.test(text);
}
