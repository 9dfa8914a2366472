import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchPackage } from '../debian-package.js';
import { visibleText } from '../visible-text.js';

/** The manuals, by what their pages are named after, the packages that they are in, and where in these. */
const MANUALS = {
  postgresql: { package: 'postgresql-doc-15', path: 'usr/share/doc/postgresql-doc-15/html' },
  apache: { package: 'apache2-doc', path: 'usr/share/doc/apache2-doc/manual/en' },
} as const;
/** Where the manuals are on a machine that they are installed on. */
export const CORPUS_FOLDERS: readonly string[] = Object.values(MANUALS).map(({ path }) => join('/', path));

const TITLE = /<title>([^<]*)<\/title>/i;

/** A page of a manual. */
export interface CorpusPage {
  /** `manual/page`, as in its address. */
  readonly path: string;
  readonly title: string;
  readonly html: string;
  /** What a reader sees. */
  readonly text: string;
}

/** The pages of both manuals. */
export interface Corpus {
  /** By the names of the manuals, where their files lie. */
  readonly folders: Readonly<Record<string, string>>;
  /** Each package with its version. */
  readonly versions: readonly string[];
  /** In the order of their paths. */
  readonly pages: readonly CorpusPage[];
}

/**
 * Downloads both manuals as Debian packages them. @param folder where they are put; empty
 * @throws Error that says what is missing
 */
export async function fetchCorpus(folder: string): Promise<Corpus> {
  const versions: string[] = [];
  for (const { package: name } of Object.values(MANUALS)) {
    await mkdir(join(folder, name));
    versions.push(`${name} ${await fetchPackage(name, join(folder, name))}`);
  }
  return readCorpus((manual) => join(folder, manual.package, manual.path), versions);
}

/** Reads the manuals that are installed on this machine. @throws Error where one is not */
export function installedCorpus(): Promise<Corpus> {
  return readCorpus(({ path }) => join('/', path), []);
}

async function readCorpus(
  placeOf: (manual: { readonly package: string; readonly path: string }) => string,
  versions: readonly string[],
): Promise<Corpus> {
  const folders: Record<string, string> = {};
  const pages: CorpusPage[] = [];
  for (const [name, manual] of Object.entries(MANUALS)) {
    const folder = (folders[name] = placeOf(manual));
    const files = await readdir(folder, { recursive: true });
    for (const file of files.filter((one) => one.endsWith('.html')).sort()) {
      pages.push(toPage(`${name}/${file}`, await readFile(join(folder, file), 'utf8')));
    }
  }
  return { folders, versions, pages };
}

function toPage(path: string, html: string): CorpusPage {
  const title = visibleText(TITLE.exec(html)?.[1] ?? path).replaceAll(/\s+/g, ' ');
  return { path, html, title, text: visibleText(html).replaceAll(/\s+/g, ' ') };
}
