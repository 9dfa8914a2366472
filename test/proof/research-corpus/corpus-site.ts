import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { freePort } from '../../crash/servers.js';
import { eventually } from '../../support/probes/eventually.js';
import { startNginx } from '../../support/servers/own-nginx.js';
import type { Corpus, CorpusPage } from './corpus.js';
import type { OwnProgram } from './own-program.js';

/** The manuals, as nginx serves them on this machine, and mirrors of some pages at another port of it. */
export class CorpusSite {
  private constructor(
    private readonly nginx: OwnProgram,
    readonly port: number,
    readonly mirrorPort: number,
    private readonly mirrorFolder: string,
  ) {}

  /** @param folder of its own, empty; @throws Error where nginx does not answer */
  static async start(folder: string, { folders }: Corpus): Promise<CorpusSite> {
    const [port, mirrorPort, mirrors] = [await freePort(), await freePort(), join(folder, 'mirrors')];
    await mkdir(mirrors, { recursive: true });
    const nginx = await startNginx(folder, httpOf(folders, { port, mirrorPort, mirrors }));
    const site = new CorpusSite(nginx, port, mirrorPort, mirrors);
    try {
      await eventually('nginx serves the manuals', 10, async () => (await fetch(site.urlOf('postgresql/'))).ok);
    } catch (error) {
      await site.close();
      throw error;
    }
    return site;
  }

  /** Where a page of a manual is. */
  urlOf(path: string): string {
    return `http://127.0.0.1:${this.port}/${path}`;
  }

  /** Where the mirror of a page is. */
  mirrorUrlOf(path: string): string {
    return `http://127.0.0.1:${this.mirrorPort}/copies/${path}`;
  }

  /** Serves a page as a mirror, under another address. */
  async addMirror({ path, html }: Pick<CorpusPage, 'path' | 'html'>): Promise<void> {
    const file = join(this.mirrorFolder, 'copies', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, html);
  }

  async close(): Promise<void> {
    await this.nginx.close();
  }
}

function httpOf(
  manuals: Corpus['folders'],
  { port, mirrorPort, mirrors }: { readonly port: number; readonly mirrorPort: number; readonly mirrors: string },
): string {
  const locations = Object.entries(manuals).map(([name, path]) => `    location /${name}/ { alias ${path}/; }`);
  return `  types { text/html html; text/css css; image/png png; }
  charset utf-8;
  server {
    listen 127.0.0.1:${port};
${locations.join('\n')}
  }
  server {
    listen 127.0.0.1:${mirrorPort};
    root ${mirrors};
  }
`;
}
