import { mkdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Corpus } from './corpus.js';
import { CorpusSearch, SEARX } from './corpus-search.js';
import { NGINX } from '../../support/servers/own-nginx.js';
import { CorpusSite } from './corpus-site.js';
import { changedPage } from './mirrors.js';
import type { Mirror } from './mirrors.js';

const PROGRAMS = { 'nginx-light': NGINX, searx: SEARX } as const;

/** The packages of Debian whose programs are missing on this machine. */
export function missingPrograms(): string[] {
  return Object.entries(PROGRAMS).flatMap(([name, program]) => (existsSync(program) ? [] : [name]));
}

/** @throws Error that says which packages have to be installed */
export function requirePrograms(): void {
  const missing = missingPrograms();
  if (missing.length > 0) throw new Error(`This needs ${missing.join(' and ')}: apt-get install ${missing.join(' ')}`);
}

/** A small web on this machine: the manuals, served by nginx, and found by searx. */
export class CorpusWeb {
  private constructor(
    private readonly corpus: Corpus,
    private readonly site: CorpusSite,
    private readonly search: CorpusSearch,
  ) {}

  /**
   * Starts both programs. @param folder of its own, empty
   * @throws Error that says what is missing, or that a program does not answer
   */
  static async start(folder: string, corpus: Corpus): Promise<CorpusWeb> {
    const missing = missingPrograms();
    if (missing.length > 0)
      throw new Error(`This needs ${missing.join(' and ')}: apt-get install ${missing.join(' ')}`);
    const folders = { site: join(folder, 'site'), search: join(folder, 'search') };
    await Promise.all(Object.values(folders).map((one) => mkdir(one, { recursive: true })));
    const site = await CorpusSite.start(folders.site, corpus);
    try {
      const pages = corpus.pages.map(({ path, title, text }) => ({ url: site.urlOf(path), title, text }));
      return new CorpusWeb(corpus, site, await CorpusSearch.start(folders.search, pages));
    } catch (error) {
      await site.close();
      throw error;
    }
  }

  /** Start-up variables of a server that searches this web. */
  get env(): Readonly<Record<string, string>> {
    const { port, mirrorPort } = this.site;
    return { SEARXNG_URL: this.search.url, EGRESS_ALLOW: '127.0.0.1/32', EGRESS_PORTS: `${port},${mirrorPort}` };
  }

  /** Where a page of a manual is. */
  urlOf(path: string): string {
    return this.site.urlOf(path);
  }

  /** Where the mirror of a page is. */
  mirrorUrlOf(path: string): string {
    return this.site.mirrorUrlOf(path);
  }

  /** Lets mirrors be found. */
  async addMirrors(mirrors: readonly Mirror[]): Promise<void> {
    const pages = await Promise.all(
      mirrors.map(async (mirror) => {
        const page = changedPage(this.corpus, mirror);
        await this.site.addMirror(page);
        return { url: this.mirrorUrlOf(page.path), title: page.title, text: page.text };
      }),
    );
    await this.search.add(pages);
  }

  async close(): Promise<void> {
    await Promise.all([this.search.close(), this.site.close()]);
  }
}
