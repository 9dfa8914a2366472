import { describe, expect, it } from '@jest/globals';
import { readManual } from '../support/builders/manual-pages.js';
import type { ManualPage } from '../support/builders/manual-pages.js';
import { problemsOf } from '../support/probes/pasted-answers.js';
import { startDocumented } from '../support/servers/documented-servers.js';
import { paste } from '../support/servers/pasted-pages.js';

const PAGES = readManual();
const RUN = PAGES.filter(({ programs }) => programs.length > 0).map((page) => [page.path, page] as const);

describe('a reader who pastes all commands of a page into a shell', () => {
  it.each(RUN)('gets what the page shows, and leaves no policy behind: %s', async (_path, page) => {
    const server = await startDocumented(page.path);
    try {
      const pasted = await paste(pagesBefore(page), server.platform.url, server.replaced);

      expect(problemsOf(PAGES, pasted)).toEqual([]);
      expect(await server.platform.query('SELECT name FROM sanitizer_policies')).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

/** The pages of `docs/` use variables as docs/api.md sets them in its first block. */
function pagesBefore(page: ManualPage): ManualPage[] {
  const api = PAGES.find(({ path }) => path === 'docs/api.md') as ManualPage;
  if (page === api || page.path === 'README.md') return [page];
  return [api.firstBlock, page];
}
