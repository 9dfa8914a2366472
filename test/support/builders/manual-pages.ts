import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** Languages of blocks that a reader runs, and of those that only show something. */
export const LANGUAGES = {
  run: ['sh', 'console', 'js', 'python'],
  shown: ['json', 'graphql', 'yaml', 'sql', 'nginx', ''],
} as const;

/** A fenced block of a page. Lines count from 1, and that of a block is its opening fence. */
export interface Block {
  readonly line: number;
  readonly language: string;
  readonly lines: readonly string[];
  /** Why the tests leave it out: the comment `<!-- not run: … -->` before it, which readers do not see. */
  readonly notRun: string | undefined;
}

/** A page for people: README.md, CONTRIBUTING.md, or one of `docs/`. */
export class ManualPage {
  readonly lines: readonly string[];
  readonly blocks: readonly Block[];

  constructor(
    readonly path: string,
    readonly text: string,
  ) {
    this.lines = text.split('\n');
    this.blocks = readBlocks(this.lines);
  }

  /** The blocks that a reader runs, and that are not left out. */
  get programs(): readonly Block[] {
    return this.blocks.filter(
      ({ language, notRun }) => LANGUAGES.run.includes(language as 'sh') && notRun === undefined,
    );
  }

  /** The page up to the end of its first block. */
  get firstBlock(): ManualPage {
    const [{ line = 0, lines = [] } = {}] = this.blocks;
    return new ManualPage(this.path, this.lines.slice(0, line + lines.length + 1).join('\n'));
  }

  /** The titles of its sections of a level; `#` in a block is no title. */
  titles(level: number): string[] {
    const isInBlock = new Set(this.blocks.flatMap(({ line, lines }) => lines.map((_, index) => line + index)));
    const mark = `${'#'.repeat(level)} `;
    return this.lines
      .filter((line, index) => line.startsWith(mark) && !isInBlock.has(index))
      .map((line) => line.slice(mark.length));
  }
}

/** Every page, in the order of their names. */
export function readManual(): ManualPage[] {
  const paths = globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md'], { cwd: ROOT }).sort();
  return paths.map((path) => new ManualPage(path, readFileSync(join(ROOT, path), 'utf8')));
}

/** Where a link to a section leads, as GitHub calls it. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function readBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const language = /^\s*```(\S*)/.exec(lines[index] as string)?.[1];
    if (language === undefined) continue;
    const end = lines.findIndex((line, other) => other > index && /^\s*```$/.test(line));
    const before = lines.slice(0, index).findLast((line) => line !== '') ?? '';
    blocks.push({
      line: index + 1,
      language,
      lines: lines.slice(index + 1, end < 0 ? undefined : end),
      notRun: /^<!-- not run: (.*) -->$/.exec(before)?.[1],
    });
    index = end < 0 ? lines.length : end;
  }
  return blocks;
}
