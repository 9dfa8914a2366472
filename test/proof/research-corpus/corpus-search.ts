import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../crash/servers.js';
import { eventually } from '../../support/probes/eventually.js';
import { OwnProgram } from './own-program.js';

/** Debian's Python, which searx is installed for. */
const PYTHON = '/usr/bin/python3';
const MAKE_INDEX = join(import.meta.dirname, 'make_index.py');
/** Where Debian's searx has its program. */
export const SEARX = '/usr/lib/python3/dist-packages/searx/webapp.py';

const SHARED = '/usr/share/python3-searx';

/** A page that can be found. */
export interface IndexedPage {
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

/** A searx on this machine whose only engine is a full-text index of pages. */
export class CorpusSearch {
  private constructor(
    private readonly searx: OwnProgram,
    readonly url: string,
    private readonly index: string,
  ) {}

  /** @param folder of its own, empty; @throws Error where searx does not answer */
  static async start(folder: string, pages: readonly IndexedPage[]): Promise<CorpusSearch> {
    const [port, index, settings] = [await freePort(), join(folder, 'pages.db'), join(folder, 'settings.yml')];
    await writeFile(settings, settingsOf(port, index));
    await addToIndex(index, pages);
    const env = { PATH: process.env.PATH, HOME: folder, SEARX_SETTINGS_PATH: settings };
    const searx = new OwnProgram(PYTHON, ['-m', 'searx.webapp'], { cwd: folder, env });
    const search = new CorpusSearch(searx, `http://127.0.0.1:${port}`, index);
    try {
      await eventually('searx finds pages', 30, async () => (await search.ask('manual')).length > 0);
    } catch (error) {
      await search.close();
      throw error;
    }
    return search;
  }

  /** Lets more pages be found. */
  add(pages: readonly IndexedPage[]): Promise<void> {
    return addToIndex(this.index, pages);
  }

  async close(): Promise<void> {
    await this.searx.close();
  }

  private async ask(query: string): Promise<unknown[]> {
    const response = await fetch(`${this.url}/search?format=json&q=${query}`);
    return ((await response.json()) as { results: unknown[] }).results;
  }
}

async function addToIndex(index: string, pages: readonly IndexedPage[]): Promise<void> {
  const maker = spawn(PYTHON, [MAKE_INDEX, index], { stdio: ['pipe', 'ignore', 'inherit'] });
  maker.stdin.on('error', () => undefined);
  for (const { url, title, text } of pages) maker.stdin.write(`${JSON.stringify({ url, title, text })}\n`);
  maker.stdin.end();
  const [code] = await once(maker, 'exit');
  if (code !== 0) throw new Error('The index could not be made.');
}

/** All that searx needs: its package has no default settings. Words of the title count for more, as in search engines. */
function settingsOf(port: number, index: string): string {
  return `general: { debug: false, instance_name: searx, contact_url: false, enable_stats: false }
brand: { git_url: '', git_branch: '', issue_url: '', docs_url: '', public_instances: '', wiki_url: '', twitter_url: '' }
search: { safe_search: 0, autocomplete: '', default_lang: '', ban_time_on_fail: 0, max_ban_time_on_fail: 0, prefer_configured_language: false }
server:
  port: ${port}
  bind_address: 127.0.0.1
  secret_key: on-this-machine-alone
  base_url: false
  image_proxy: false
  http_protocol_version: '1.0'
  method: GET
  default_http_headers: {}
ui: { static_path: ${SHARED}/static, templates_path: ${SHARED}/templates, default_theme: oscar, default_locale: '', theme_args: { oscar_style: logicodev } }
outgoing: { request_timeout: 10.0, useragent_suffix: '', pool_connections: 10, pool_maxsize: 10 }
checker: { off_when_debug: true }
locales: { en: English }
doi_resolvers: { oadoi.org: 'https://oadoi.org/' }
default_doi_resolver: oadoi.org
engines:
  - name: manuals
    engine: sqlite
    shortcut: ma
    categories: general
    timeout: 10.0
    database: ${index}
    query_str: >-
      SELECT url, title, snippet(pages, 2, '', '', '…', 32) AS content FROM pages
      WHERE pages MATCH replace(trim(:query), ' ', ' OR ') ORDER BY bm25(pages, 0, 3, 1), rowid
`;
}
