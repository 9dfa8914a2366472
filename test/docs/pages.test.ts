import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { anchorOf, LANGUAGES, readManual } from '../support/builders/manual-pages.js';
import type { ManualPage } from '../support/builders/manual-pages.js';

const PAGES = readManual();

describe('a page of the documentation', () => {
  it('has known languages on its blocks, so that its commands are run', () => {
    const known: readonly string[] = Object.values(LANGUAGES).flat();

    const others = PAGES.flatMap(({ path, blocks }) =>
      blocks.filter(({ language }) => !known.includes(language)).map(({ line }) => `${path}:${line}`),
    );

    expect(others).toEqual([]);
  });

  it('has commands in blocks of commands alone', () => {
    const hidden = PAGES.flatMap(({ path, blocks }) =>
      blocks
        .filter(({ language }) => !LANGUAGES.run.includes(language as 'sh'))
        .filter(({ lines }) => lines.some((line) => /^(\$ |curl |npm |npx |docker )/.test(line)))
        .map(({ line }) => `${path}:${line}`),
    );

    expect(hidden).toEqual([]);
  });

  it('says why the tests leave a block out, and of blocks of commands alone', () => {
    const comments = PAGES.flatMap(({ path, lines }) =>
      lines.filter((line) => line.startsWith('<!--') && line.includes('not run')).map((line) => `${path}: ${line}`),
    );
    const reasons = PAGES.flatMap(({ path, blocks }) =>
      blocks
        .filter(({ language, notRun = '' }) => /^\w.{10}/.test(notRun) && LANGUAGES.run.includes(language as 'sh'))
        .map(({ notRun }) => `${path}: <!-- not run: ${notRun} -->`),
    );

    expect(comments).toEqual(reasons);
    const named = reasons.flatMap((reason) => reason.match(/\b(?:test|scripts)\/\S+/g) ?? []);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('links to what is there', () => {
    const links = PAGES.flatMap((page) => linksOf(page).map((link) => ({ page, link })));

    const broken = links.filter(({ page, link }) => !leadsSomewhere(page, link));

    expect(broken.map(({ page, link }) => `${page.path}: ${link}`)).toEqual([]);
    expect(links.length).toBeGreaterThan(300);
  });
});

/** The addresses of links to pages and sections of this repository, those in blocks left out. */
function linksOf({ lines, blocks }: ManualPage): string[] {
  const inBlocks = new Set(blocks.flatMap((block) => block.lines.map((_, index) => block.line + index)));
  const text = lines
    .filter((_, index) => !inBlocks.has(index))
    .join('\n')
    .replace(/(`+)[^`]+\1/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to]) => to as string).filter((to) => !/^https?:/.test(to));
}

function leadsSomewhere(from: ManualPage, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const path = file === '' ? from.path : join(from.path, '..', file);
  if (anchor === undefined) return existsSync(path);
  const page = PAGES.find((one) => one.path === path);
  return page !== undefined && [1, 2, 3].some((level) => page.titles(level).map(anchorOf).includes(anchor));
}
