import type { z } from 'zod';

const COLUMNS = 120;
const HEAD = `Every start-up variable with its default. A variable without a value is not set.
Copy what you need into the environment; the server reads no file of this name.`;

/** The text of `.env.example`: every variable of the shapes, under what its shape and itself say of them. */
export function formatEnvExample(shapes: readonly z.ZodObject[]): string {
  const parts = shapes
    .filter(({ shape }) => Object.keys(shape).length > 0)
    .map((shape) => {
      const variables = Object.entries(shape.shape).map(
        ([name, variable]) => `${toComment(variable.description)}${name}=${defaultOf(variable)}\n`,
      );
      return `${toComment(shape.description?.toUpperCase())}${variables.join('')}`;
    });
  return [toComment(HEAD), ...parts].join('\n');
}

/** What stands for a default; lists and objects are empty where nothing is set. */
function defaultOf({ _zod: { def } }: z.core.$ZodType): string {
  const value = 'defaultValue' in def ? def.defaultValue : undefined;
  return value === undefined || typeof value === 'object' ? '' : String(value);
}

/** Lines of at most 120 columns; a line break stays one. */
function toComment(text = ''): string {
  const lines = text.split('\n').filter(Boolean);
  return lines
    .flatMap(wrap)
    .map((line) => `# ${line}\n`)
    .join('');
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 3 > COLUMNS) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
