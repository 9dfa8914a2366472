import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, tokenOf } from '../../support/servers/mail-server.js';
import { MailedPlatform } from '../../support/servers/mailed-platform.js';
import type { RestAnswer } from '../../support/servers/platform.js';

const [VICTIM, ATTACKER] = ['198.51.100.7', '203.0.113.9'];
const [THEIRS, NOT_THEIRS] = ['eleven brass kettles sing', 'nine grey foxes at the gate'];

describe('an address that several register', () => {
  let mailed: MailedPlatform;

  beforeAll(async () => {
    mailed = await MailedPlatform.start({ TRUST_PROXY: '127.0.0.0/8' });
  });
  afterAll(() => mailed.close());

  it('gets nobody’s password with the code of another’s registration', async () => {
    const email = 'ann@contested.test';
    await register(email, THEIRS, VICTIM);
    await mailed.mails.next(email);
    await register(email, NOT_THEIRS, ATTACKER);

    const confirmed = await confirm(email, codeOf(await mailed.mails.next(email)), VICTIM);
    const attempts = [await signIn(email, NOT_THEIRS), await signIn(email, THEIRS)];
    const mail = await mailed.mails.next(email);
    const body = { token: tokenOf(mail), new_password: THEIRS };
    const chosen = await mailed.platform.request('POST', '/v1/auth/password-reset', { body });

    expect(confirmed).toMatchObject({ status: 200, body: { confirmed: true } });
    expect(attempts).toEqual([401, 401]);
    expect([mail.subject, chosen.status]).toEqual(['Choose your password', 200]);
    expect([await signIn(email, THEIRS), await signIn(email, NOT_THEIRS)]).toEqual([200, 401]);
  });

  it('keeps the password of whoever has registered last, and confirms from there', async () => {
    const email = 'bob@contested.test';
    await register(email, NOT_THEIRS, ATTACKER);
    await mailed.mails.next(email);
    await register(email, THEIRS, VICTIM);

    const { status } = await confirm(email, codeOf(await mailed.mails.next(email)), VICTIM);

    expect([status, await signIn(email, THEIRS), await signIn(email, NOT_THEIRS)]).toEqual([200, 200, 401]);
  });

  it('may be confirmed from elsewhere where nobody else has registered it', async () => {
    const email = 'cleo@contested.test';
    await register(email, THEIRS, VICTIM);

    const { status } = await confirm(email, codeOf(await mailed.mails.next(email)), '192.0.2.55');

    expect([status, await signIn(email, THEIRS)]).toEqual([200, 200]);
  });

  it('tells that a password waits for its confirmation ten times, and then no more', async () => {
    const email = 'dan@contested.test';
    await register(email, THEIRS, VICTIM);

    const statuses = [];
    for (let index = 0; index < 11; index += 1) statuses.push(await signIn(email, THEIRS));

    expect(statuses).toEqual([...Array<number>(10).fill(403), 429]);
  });

  it.each([
    ['a network', 30, () => '192.0.2.1'],
    ['an IPv6 site', 300, (index: number) => `2001:db8:1:${Math.floor(index / 25).toString(16)}::1`],
  ])('is not guessed: %s has %d wrong codes in a quarter of an hour', async (_what, tries, addressOf) => {
    const statuses = [];
    for (let index = 0; index <= tries; index += 1) {
      statuses.push((await confirm(`guess${index}@contested.test`, '000000', addressOf(index))).status);
    }

    expect(statuses).toEqual([...Array<number>(tries).fill(400), 429]);
  });

  function register(email: string, password: string, from: string): Promise<RestAnswer> {
    return send('/v1/auth/register', { email, password, name: 'Ann' }, from);
  }

  function confirm(email: string, code: string, from: string): Promise<RestAnswer> {
    return send('/v1/auth/confirm', { email, code }, from);
  }

  async function signIn(email: string, password: string): Promise<number> {
    return (await send('/v1/auth/login', { email, password }, ATTACKER)).status;
  }

  function send(path: string, body: object, from: string): Promise<RestAnswer> {
    const headers = { 'x-forwarded-for': from, 'x-forwarded-proto': 'https' };
    return mailed.platform.request('POST', path, { body, headers });
  }
});
