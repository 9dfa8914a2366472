import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../../..');
const OXLINT = join(ROOT, 'node_modules/oxlint/bin/oxlint');

interface Problem {
  readonly filename: string;
  readonly message: string;
}

/** What the linter says of files, by the rules of this project. */
export class LintRun {
  private constructor(private readonly problems: readonly Problem[]) {}

  /** @param files paths below a project, and texts */
  static async of(files: Iterable<readonly [file: string, text: string, ...rest: unknown[]]>): Promise<LintRun> {
    const folder = mkdtempSync(join(tmpdir(), 'lint-rules-'));
    for (const file of ['.oxlintrc.json', 'scripts/lint-rules.ts']) cpSync(join(ROOT, file), join(folder, file));
    // The rules of imports read it.
    const domains = ['src/domains.ts', ''] as const;
    for (const [file, text] of [domains, ...files]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    // Its exit code is 1 where it finds something.
    const run = promisify(execFile)(process.execPath, [OXLINT, '--format=json'], { cwd: folder });
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    rmSync(folder, { recursive: true });
    return new LintRun(JSON.parse(stdout).diagnostics);
  }

  /** The messages for a file. */
  problemsOf(file: string): string[] {
    return this.problems.filter(({ filename }) => filename === file).map(({ message }) => message);
  }
}
