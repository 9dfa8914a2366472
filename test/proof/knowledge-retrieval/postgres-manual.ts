import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Parser } from 'htmlparser2';

const PACKAGE = 'postgresql-doc-15';
const INVISIBLE = new Set(['head', 'script', 'style']);
const run = promisify(execFile);

/** A page of the manual. */
export interface ManualPage {
  readonly filename: string;
  readonly html: Uint8Array;
  /** Letters and digits alone of what a reader sees, since readers of files space and mark it in their own ways. */
  readonly letters: string;
}

/**
 * Downloads PostgreSQL's manual as Debian packages it, for whoever runs this, not only for root.
 * @param folder where it is put; empty
 * @returns the version of the package, and its pages in the order of their names
 * @throws Error that says what is missing
 */
export async function fetchManual(folder: string): Promise<{ version: string; pages: ManualPage[] }> {
  try {
    await run('apt-get', ['download', PACKAGE], { cwd: folder });
    const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.deb'));
    const { stdout } = await run('dpkg-deb', ['--field', file, 'Version'], { cwd: folder });
    await run('dpkg-deb', ['--extract', file, '.'], { cwd: folder });
    const pages = await readPages(join(folder, 'usr/share/doc', PACKAGE, 'html'));
    return { version: stdout.trim(), pages };
  } catch (error) {
    throw new Error(
      `This proof needs the package ${PACKAGE}, from a Debian 12 with a fresh list of packages (apt-get update): ${String(error)}`,
      { cause: error },
    );
  }
}

/** Letters and digits alone. */
export function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '');
}

async function readPages(folder: string): Promise<ManualPage[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.html')).sort();
  return Promise.all(
    names.map(async (filename) => {
      const html = await readFile(join(folder, filename));
      return { filename, html, letters: lettersOf(visibleText(html.toString('utf8'))) };
    }),
  );
}

function visibleText(html: string): string {
  let text = '';
  let hidden = 0;
  const parser = new Parser({
    onopentag: (name) => void (hidden += Number(INVISIBLE.has(name))),
    onclosetag: (name) => void (hidden -= Number(INVISIBLE.has(name))),
    ontext: (part) => void (text += hidden > 0 ? '' : part),
  });
  parser.end(html);
  return text;
}
