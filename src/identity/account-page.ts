import { readHtml, sendPage, toPage } from '../http/web-page.js';
import type { Answer } from '../http/web-page.js';

/** The page that mails lead to, unless PASSWORD_PAGE_URL names another. */
export const ACCOUNT_PATH = '/account';

/** The routes of the page on which people choose a password and confirm an address (`pages/account.html`). */
export function accountPages(): ReadonlyMap<string, Answer> {
  const page = toPage(readHtml('account.html'));
  return new Map<string, Answer>([
    [ACCOUNT_PATH, async (response) => sendPage(response, page)],
    // Links of earlier mails, and the end of a sign-in by a browser: what is behind # goes along.
    ['/dashboard', async (response) => void response.status(302).location(ACCOUNT_PATH.slice(1)).end()],
  ]);
}
