import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchPackage } from '../debian-package.js';
import { visibleText } from '../visible-text.js';

const PACKAGE = 'postgresql-doc-15';

/** A page of the manual. */
export interface ManualPage {
  readonly filename: string;
  readonly html: Uint8Array;
  /** Letters and digits alone of what a reader sees, since readers of files space and mark it in their own ways. */
  readonly letters: string;
}

/**
 * Downloads PostgreSQL's manual as Debian packages it.
 * @param folder where it is put; empty
 * @returns the version of the package, and its pages in the order of their names
 * @throws Error that says what is missing
 */
export async function fetchManual(folder: string): Promise<{ version: string; pages: ManualPage[] }> {
  const version = await fetchPackage(PACKAGE, folder);
  return { version, pages: await readPages(join(folder, 'usr/share/doc', PACKAGE, 'html')) };
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
