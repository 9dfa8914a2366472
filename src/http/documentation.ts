import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Response } from 'express';
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
  readonly policy: string;
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

/** A page with its content security policy: inline scripts run by their hash alone. */
function toPage(html: string): Page {
  const hashes = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  const policy = {
    'default-src': `'none'`,
    'script-src': `'self' ${hashes.join(' ')}`,
    'style-src': `'self' 'unsafe-inline'`,
    'img-src': `'self' data:`,
    'font-src': 'data:',
    'connect-src': `'self'`,
    'worker-src': 'blob:',
    'base-uri': `'none'`,
    'form-action': `'none'`,
    'frame-ancestors': `'none'`,
  };
  const directives = Object.entries(policy).map(([name, value]) => `${name} ${value}`);
  return { html: Buffer.from(html), policy: directives.join('; ') };
}

function sendPage(response: Response, { html, policy }: Page): void {
  response.setHeader('content-security-policy', policy);
  response.setHeader('referrer-policy', 'no-referrer');
  response.type('html').send(html);
}
