import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Response } from 'express';
import helmet from 'helmet';
import { NotFound } from '../errors.js';

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

/** Answers a path; the path is its route. */
export type Answer = (response: Response) => Promise<void>;

/**
 * The routes of the web pages: `/docs` for REST, and in development `/graphiql` for GraphQL. All that they load comes
 * from this server, and their content security policy lets nothing else in.
 */
export function documentationRoutes(production: boolean): ReadonlyMap<string, Answer> {
  const docs = toPage(DOCS_PAGE);
  let graphiql: Promise<Page> | undefined;
  const routes = new Map<string, Answer>([
    ['/docs', async (response) => sendPage(response, docs)],
    [
      '/graphiql',
      async (response) => {
        if (production) throw new NotFound('There is nothing at /graphiql.');
        graphiql ??= makeGraphiqlPage();
        sendPage(response, await graphiql);
      },
    ],
  ]);
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

interface Page {
  readonly html: Buffer;
  /** Puts the headers of a page on its answer. */
  readonly protect: ReturnType<typeof helmet>;
}

/** Nine megabytes, so made only when it is asked for. */
async function makeGraphiqlPage(): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return toPage(
    renderGraphiQL({
      title: 'Private AI Platform GraphQL',
      endpoint: '/graphql',
      subscriptionsProtocol: 'GRAPHQL_SSE',
      defaultQuery: '{ health { status version } }\n',
      headers: '{ "authorization": "Bearer " }',
    }),
  );
}

/** A page with the headers that keep it to itself: inline scripts run by their hash alone, and nobody may frame it. */
function toPage(html: string): Page {
  const hashes = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: [`'none'`],
        scriptSrc: [`'self'`, ...hashes],
        styleSrc: [`'self'`, `'unsafe-inline'`],
        imgSrc: [`'self'`, 'data:'],
        fontSrc: ['data:'],
        connectSrc: [`'self'`],
        workerSrc: ['blob:'],
        baseUri: [`'none'`],
        formAction: [`'none'`],
        frameAncestors: [`'none'`],
      },
    },
    xFrameOptions: { action: 'deny' },
    // Every answer has it, where it travels over TLS.
    strictTransportSecurity: false,
  });
  return { html: Buffer.from(html), protect };
}

function sendPage(response: Response, { html, protect }: Page): void {
  protect(response.req, response, () => void response.type('html').send(html));
}
