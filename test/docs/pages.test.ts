import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { SCOPES } from '../../src/access/caller.js';
import { anchorOf, LANGUAGES, readManual } from '../support/builders/manual-pages.js';
import type { ManualPage } from '../support/builders/manual-pages.js';

const PAGES = readManual();
const API = pageAt('docs/api.md');

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

describe('docs/api.md', () => {
  it('lists its sections, each once', () => {
    const lists = API.lines.filter((line) => /^- (Everywhere|Endpoints): /.test(line)).join('\n');
    const listed = [...lists.matchAll(/\[([^\]]+)\]\(#([^)]+)\)/g)].map(([, title = '', anchor]) => ({
      title,
      anchor,
    }));

    const sections = API.titles(2).map((title) => ({ title, anchor: anchorOf(title) }));

    const byTitle = (one: { title: string }, other: { title: string }) => one.title.localeCompare(other.title);
    expect(listed.sort(byTitle)).toEqual(sections.sort(byTitle));
  });

  it('has every subscription of the graph', () => {
    const [, table = ''] = API.text.split('| Subscription | ');

    const named = codesIn(tableOf(table).map(([cell = '']) => cell));

    expect(named.sort()).toEqual(Object.keys(subscriptions()).sort());
  });

  it('has every scope', () => {
    const [, table = ''] = API.text.split('| Scope | ');

    const named = codesIn(tableOf(table).map(([cell = '']) => cell));

    expect(named.sort()).toEqual([...SCOPES, '*'].sort());
  });

  it('has the scopes and the fields of every path', () => {
    const [, table = ''] = API.text.split('| Method | Path | ');

    const wrong = tableOf(table).filter(([method = '', path = '', access = '', fields = '']) => {
      const scopes = codesIn([access]).filter((code) => code.includes(':'));
      const hasFields = codesIn([fields]).every((field) => field in rootFields());
      return !hasFields || scopes.sort().join() !== scopesOf(method, path).sort().join();
    });

    expect(wrong).toEqual([]);
    expect(tableOf(table).length).toBeGreaterThan(100);
  });
});

function pageAt(path: string): ManualPage {
  return PAGES.find((page) => page.path === path) as ManualPage;
}

/** The rows of a table whose head has begun already, as cells. */
function tableOf(text: string): string[][] {
  const lines = text.split('\n').slice(2);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function codesIn(cells: readonly string[]): string[] {
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string));
}

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

const schema = buildSchema(readFileSync('schema/platform.graphql', 'utf8'), { assumeValidSDL: true });

function subscriptions(): object {
  return schema.getSubscriptionType()?.getFields() ?? {};
}

function rootFields(): object {
  return { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields(), ...subscriptions() };
}

const { paths } = JSON.parse(readFileSync('schema/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, { security?: Record<string, string[]>[] }>>;
};

function scopesOf(method: string, path: string): string[] {
  const [rule = {}] = paths[path]?.[method.toLowerCase()]?.security ?? [];
  return Object.values(rule)
    .flat()
    .filter((role) => role.includes(':'));
}
