import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Debian's packages of documentation: under licences of their own, so that none of it is in this repository. */
const PLACES = [
  { folder: '/usr/share/doc/postgresql-doc-15/html', files: '*.html' },
  { folder: '/usr/share/doc/apache2-doc/manual/en', files: '**/*.html' },
] as const;
const LEAST_BYTES = 2_000;

/**
 * Pages of the manuals of PostgreSQL and Apache, half of each, spread evenly over them.
 * @throws Error that names the packages where they are not installed
 */
export function packagedPages(count: number): Buffer[] {
  const missing = PLACES.filter(({ folder }) => !existsSync(folder));
  if (missing.length > 0) {
    throw new Error('This needs pages of manuals: apt-get install postgresql-doc-15 apache2-doc');
  }
  return PLACES.flatMap(({ folder, files }) => {
    const pages = globSync(files, { cwd: folder })
      .toSorted()
      .map((file) => readFileSync(join(folder, file)))
      .filter(({ length }) => length >= LEAST_BYTES);
    const wanted = count / PLACES.length;
    return Array.from({ length: wanted }, (_, index) => pages[Math.floor((index * pages.length) / wanted)] as Buffer);
  });
}
