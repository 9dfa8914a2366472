import { afterAll, beforeAll, expect } from '@jest/globals';
import { addSignedInAdmin, addUser, signIn } from '../support/builders/accounts.js';
import { Chromium } from '../support/servers/chromium.js';
import type { Tab } from '../support/servers/chromium.js';
import { codeOf, linkOf } from '../support/servers/mail-server.js';
import { MailedPlatform } from '../support/servers/mailed-platform.js';
import { onChromium } from '../support/servers/services.js';

onChromium.describe('the page of accounts, in a browser', () => {
  const bed = useBed();

  onChromium.it('lets an invited user choose a password, and shows what is wrong with one', async () => {
    const email = 'ida@invited.test';
    const tab = await bed.openLink(await bed.invite(email));
    await tab.seen('Choose your password');

    await tab.enter('short');
    const refused = await tab.seen('New password must have at least 12 characters.');
    const focus = await tab.read(FOCUS);
    await tab.enter(PASSWORD);
    const done = await tab.seen('Your password is set');

    expect(refused).toContain('12 to 256 characters');
    expect(focus).toEqual({ name: 'new_password', invalid: 'true', value: 'short' });
    expect(done).toContain('sign in with your email address');
    expect((await signIn(bed.mailed.platform, email, PASSWORD)).user.email).toBe(email);
    expect(tab.complaints.filter((complaint) => !complaint.includes('status of 400'))).toEqual([]);
  });

  onChromium.it('keeps the token out of the address bar, and out of every request line', async () => {
    const link = await bed.invite('jo@invited.test');
    const tab = await bed.openLink(link);
    await tab.seen('Choose your password');

    await tab.enter(PASSWORD);
    await tab.seen('Your password is set');

    const { url } = bed.mailed.platform;
    const [, token = 'none'] = /token=([\w-]{43})/.exec(link) ?? [];
    expect(await tab.read('location.href')).toBe(`${url}/account`);
    expect(tab.requests.filter((request) => !request.startsWith('data:'))).toEqual([
      `${url}/account`,
      `${url}/v1/auth/password-reset`,
    ]);
    expect(bed.mailed.platform.logLines.join('\n')).not.toContain(token);
  });

  onChromium.it('mails another link where one was used, and takes it in the same tab', async () => {
    const { email } = await addUser(bed.mailed.platform, bed.tenantId);
    const used = await bed.openLink('/account#/password-reset?token=used');
    await used.seen('Choose your password');

    await used.enter(PASSWORD);
    const refused = await used.seen('The token is wrong, has expired, or was used.');
    await used.enter(email);
    await used.seen('Look into your mail');
    await used.go(bed.at(linkOf(await bed.mailed.mails.next(email))));
    await used.seen('Choose your password');
    await used.enter(PASSWORD);
    await used.seen('Your password is set');

    expect(refused).toContain('Get a link by mail');
    expect((await signIn(bed.mailed.platform, email, PASSWORD)).user.email).toBe(email);
  });

  onChromium.it('confirms an address by the code that is entered, not by the link alone', async () => {
    const email = 'eve+mail@people.test';
    await bed.mailed.platform.request('POST', '/v1/auth/register', {
      body: { email, password: PASSWORD, name: 'Eve' },
    });
    const mail = await bed.mailed.mails.next(email);
    const tab = await bed.openLink(linkOf(mail));
    await tab.seen('Confirm your email address');

    const filled = await tab.read(`document.getElementById('confirm-email').value`);
    await tab.enter(codeOf(mail) === '000000' ? '000001' : '000000');
    await tab.seen('The code is wrong or has expired.');
    await tab.enter(codeOf(mail));
    await tab.seen('Your address is confirmed');

    expect([filled, linkOf(mail)]).toEqual([email, expect.not.stringContaining(codeOf(mail))]);
    expect((await signIn(bed.mailed.platform, email, PASSWORD)).user.email).toBe(email);
  });

  onChromium.it.each([
    ['#/password-reset?token=a', 'Choose your password'],
    ['#code=a', 'You have signed in'],
    ['#error=sso_failed', 'The sign-in has failed'],
    ['', 'Get a link by mail'],
    ['#/asked?', 'Get a link by mail'],
  ])('is where /dashboard%s leads', async (fragment, heading) => {
    const tab = await bed.openLink(`/dashboard${fragment}`);

    await tab.seen(heading);

    expect(await tab.read('[location.pathname, location.hash, document.title]')).toEqual(['/account', '', heading]);
  });

  onChromium.it('says so where it may not run scripts', async () => {
    const tab = await bed.openLink('/health');
    await tab.send('Emulation.setScriptExecutionDisabled', { value: true });

    await tab.go(bed.at('/account#/password-reset?token=a'));

    expect(await tab.seen('This page needs JavaScript')).not.toContain('New password');
  });

  onChromium.it.each([
    ['/', 'Private AI Platform'],
    ['/account#/password-reset?token=a', 'Choose your password'],
    ['/account#/confirm?email=a@b.test', 'Confirm your email address'],
    ['/account', 'Get a link by mail'],
  ])('is as wide as a phone, and has a name for every field: %s', async (path, heading) => {
    const tab = await bed.openLink('/health');
    const phone = { width: 320, height: 640, deviceScaleFactor: 1, mobile: true };
    await tab.send('Emulation.setDeviceMetricsOverride', phone);

    await tab.go(bed.at(path));
    await tab.seen(heading);

    expect(await tab.read(UNNAMED)).toEqual([]);
    expect(await tab.read('document.documentElement.scrollWidth')).toBe(320);
  });
});

const PASSWORD = 'twelve copper spoons in a row';
const FOCUS = `(({ name, value, ariaInvalid: invalid }) => ({ name, invalid, value }))(document.activeElement)`;
const UNNAMED = `[...document.querySelectorAll('input:not([type=hidden])')].filter(({ labels }) => !labels.length).map(({ name }) => name)`;

interface Bed {
  readonly mailed: MailedPlatform;
  readonly tenantId: string;
  /** A path, or an address of the public URL, at the server itself. */
  at(link: string): string;
  openLink(link: string): Promise<Tab>;
  /** Invites somebody; answers the link of the mail. */
  invite(email: string): Promise<string>;
}

function useBed(): Bed {
  let mailed: MailedPlatform;
  let chromium: Chromium;
  let tenantId: string;
  beforeAll(async () => {
    chromium = new Chromium();
    mailed = await MailedPlatform.start();
    ({ tenantId } = await addSignedInAdmin(mailed.platform));
  });
  afterAll(async () => {
    await chromium.close();
    await mailed.close();
  });
  const at = (link: string) => mailed.platform.url + link.replace('https://ai.example.test', '');
  return {
    get mailed() {
      return mailed;
    },
    get tenantId() {
      return tenantId;
    },
    at,
    openLink: (link) => chromium.open(at(link)),
    async invite(email) {
      await mailed.platform.as(mailed.sysadmin).post('/v1/admin/users', { email, name: 'Ida' });
      return linkOf(await mailed.mails.next(email));
    },
  };
}
