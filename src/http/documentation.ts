import { createRequire } from 'node:module';
import { inlineHashes, sendPage, toPage } from './web-page.js';
import type { Answer, WebPage } from './web-page.js';

const require = createRequire(import.meta.url);

/** What `/docs` loads, from the package of its renderer. */
const DOCS_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'] as const;

const DOCS_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Private AI Platform API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script>
      SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, docExpansion: 'list', validatorUrl: null });
    </script>
  </body>
</html>
`;

/**
 * The routes of the web pages: `/docs` for REST, and in development `/graphiql` for GraphQL. All that they load comes
 * from this server, and their content security policy lets nothing else in.
 */
export function documentationRoutes(production: boolean): ReadonlyMap<string, Answer> {
  const docs = toLibraryPage(DOCS_PAGE);
  let graphiql: Promise<WebPage> | undefined;
  const routes = new Map<string, Answer>([['/docs', async (response) => sendPage(response, docs)]]);
  if (!production) {
    routes.set('/graphiql', async (response) => sendPage(response, await (graphiql ??= makeGraphiqlPage())));
  }
  for (const file of DOCS_FILES) {
    const path = require.resolve(`swagger-ui-dist/${file}`);
    routes.set(`/docs/${file}`, async (response) => {
      response.setHeader('cache-control', 'public, max-age=3600');
      // Packages may lie below a folder whose name begins with a dot.
      response.sendFile(path, { cacheControl: false, dotfiles: 'allow' });
    });
  }
  return routes;
}

/** Nine megabytes, so made only when it is asked for. */
async function makeGraphiqlPage(): Promise<WebPage> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return toLibraryPage(
    renderGraphiQL({
      title: 'Private AI Platform GraphQL',
      endpoint: '/graphql',
      subscriptionsProtocol: 'GRAPHQL_SSE',
      defaultQuery: '{ health { status version } }\n',
      headers: '{ "authorization": "Bearer " }',
    }),
  );
}

/** A page of a library that sets styles itself, and loads its files from this server. */
function toLibraryPage(html: string): WebPage {
  return toPage(html, {
    scriptSrc: [`'self'`, ...inlineHashes(html, 'script')],
    styleSrc: [`'self'`, `'unsafe-inline'`],
    imgSrc: [`'self'`, 'data:'],
    fontSrc: ['data:'],
    workerSrc: ['blob:'],
  });
}
