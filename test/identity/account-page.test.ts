import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Email } from 'postal-mime';
import { addSignedInUser } from '../support/builders/accounts.js';
import { codeOf, linkOf, tokenOf } from '../support/servers/mail-server.js';
import { MailedPlatform } from '../support/servers/mailed-platform.js';

describe('the page of accounts', () => {
  let mailed: MailedPlatform;
  beforeAll(async () => void (mailed = await MailedPlatform.start({ PASSWORD_PAGE_URL: OWN_PAGE })));
  afterAll(() => mailed.close());

  it('has its scripts and styles in itself, allowed by their hashes, and nothing from elsewhere', async () => {
    const page = await mailed.platform.request('GET', '/account');

    const policy = page.headers.get('content-security-policy') ?? '';
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(policy).toMatch(/default-src 'none';script-src 'sha256-[^']+';style-src 'sha256-[^']+';img-src data:;/);
    expect(policy).toMatch(/connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'$/);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.body).not.toMatch(/\bsrc=|\bon\w+=|\bstyle=|href="(?!data:)/);
  });

  it('is where links of earlier mails lead', async () => {
    const { url } = mailed.platform;
    const earlier = await mailed.platform.request('GET', '/dashboard', { redirect: 'manual' });
    const others = await Promise.all(
      ['/account', '/dashboard'].map((path) => mailed.platform.request('POST', path, { body: {} })),
    );

    expect([earlier.status, new URL(earlier.headers.get('location') ?? '', `${url}/dashboard`).href]).toEqual([
      302,
      `${url}/account`,
    ]);
    expect(others.map(({ status }) => status)).toEqual([405, 405]);
  });

  it('may be one of your own, to which every mail leads', async () => {
    const { platform, mails, sysadmin } = mailed;
    const { email } = await addSignedInUser(platform);
    await platform.request('POST', '/v1/auth/password-reset-request', { body: { email } });
    await platform.as(sysadmin).post('/v1/admin/users', { email: 'ida@invited.test', name: 'Ida' });

    const reset = await mails.next(email);
    const invitation = await mails.next('ida@invited.test');

    for (const mail of [reset, invitation]) {
      expect(linkOf(mail)).toBe(`${OWN_PAGE}#/password-reset?token=${tokenOf(mail)}`);
      expect(hrefOf(mail)).toBe(linkOf(mail).replace('&', '&amp;'));
    }
  });

  it('is told whose address is confirmed, but not the code', async () => {
    const email = `o'eve+a&b@people.test`;
    const body = { email, password: 'twelve copper spoons in a row', name: 'Eve' };
    await mailed.platform.request('POST', '/v1/auth/register', { body });

    const mail = await mailed.mails.next(email);

    const link = new URL(linkOf(mail));
    expect(link.hash).not.toContain(codeOf(mail));
    expect(new URLSearchParams(link.hash.replace('#/confirm?', '')).get('email')).toBe(email);
    expect(hrefOf(mail)).not.toContain(`'`);
  });
});

const OWN_PAGE = 'https://people.example.test/accounts?from=mail&copy=1';

function hrefOf({ html = '' }: Email): string {
  return /<a href="([^"]+)">/.exec(html)?.[1] ?? `no link in: ${html}`;
}
