import { NotFound } from '../errors.js';
import { readHtml, sendPage, toPage } from './web-page.js';
import type { Answer } from './web-page.js';

/** What people may look for, where the server has it. */
const LINKS: readonly (readonly [path: string, name: string, purpose: string])[] = [
  ['/account', 'Your password', 'get a link by mail to choose a new one'],
  ['/docs', 'REST API', 'every operation, to read and to try'],
  ['/graphiql', 'GraphQL', 'an editor for queries'],
  ['/health', 'Health', 'the state of each part of this server'],
];

/**
 * Answers `/`, for people who open the server's address in a browser.
 * @param paths of the routes that the server has
 */
export function homeRoute(paths: ReadonlySet<string>): Answer {
  const links = LINKS.filter(([path]) => paths.has(path)).map(
    ([path, name, purpose]) => `<li><a href="${path.slice(1)}">${name}</a>: ${purpose}</li>`,
  );
  const page = toPage(readHtml('home.html').replace('<!-- links -->', links.join('\n      ')));
  return async (response) => {
    response.vary('accept');
    // Clients that want JSON have a wrong base URL.
    if (!response.req.accepts('html')) throw new NotFound('There is only a page for browsers at /. See /openapi.json.');
    sendPage(response, page);
  };
}
