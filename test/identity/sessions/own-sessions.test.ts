import { describe, expect, it } from '@jest/globals';
import {
  addApiToken,
  addSignedInUser,
  addUser,
  PASSWORD,
  refreshTokens,
  whoAmI,
} from '../../support/builders/accounts.js';
import type { TokenPair } from '../../support/servers/platform.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const PATH = '/v1/auth/sessions';

describe('the own sessions', () => {
  const platform = usePlatform();
  const as = ({ access_token }: TokenPair) => platform.as(access_token);

  it('are shown with what signed in, and from where', async () => {
    const { email } = await newUser();
    const first = await signInWith(email, 'Browser/1.0');
    const second = await signInWith(email, 'x'.repeat(1_000));

    const { body } = await as(first).get(PATH);
    const page = await as(first).get(`${PATH}?limit=1`);
    const next = await as(first).get(`${PATH}?limit=1&after=${page.body.next_cursor}`);

    expect(body).toMatchObject({ object: 'list', has_more: false });
    expect(body.data).toEqual([
      {
        id: expect.any(String),
        object: 'session',
        created_at: expect.any(String),
        last_used_at: expect.any(String),
        ip: '127.0.0.1',
        user_agent: 'x'.repeat(300),
        current: false,
      },
      expect.objectContaining({ user_agent: 'Browser/1.0', current: true }),
    ]);
    expect([page.body.data[0].id, next.body.data[0].id]).toEqual(body.data.map(({ id }: { id: string }) => id));
    expect(second.access_token).not.toContain(body.data[0].id);
  });

  it('show when tokens were last issued, and to whom', async () => {
    const { email } = await newUser();
    const { refresh_token } = await signInWith(email, 'Browser/1.0');
    const body = { refresh_token };
    const headers = { 'user-agent': 'Browser/2.0' };
    const { body: pair } = await platform.request('POST', '/v1/auth/refresh', { body, headers });

    const sessions = await as(pair).get(PATH);

    expect(sessions.body.data).toEqual([expect.objectContaining({ user_agent: 'Browser/2.0', current: true })]);
  });

  it('end one by one, at once', async () => {
    const { email } = await newUser();
    const [mine, other] = [await signInWith(email), await signInWith(email)];
    const { body } = await as(other).get(PATH);
    const id = body.data.find(({ current }: { current: boolean }) => current).id;

    const answers = [await as(mine).delete(`${PATH}/${id}`), await as(mine).delete(`${PATH}/${id}`)];

    expect(answers.map(({ status }) => status)).toEqual([204, 404]);
    expect((await whoAmI(platform, other.access_token)).body.error.reason).toBe('token_revoked');
    expect((await refreshTokens(platform, other.refresh_token)).status).toBe(401);
    expect((await whoAmI(platform, mine.access_token)).status).toBe(200);
  });

  it('end all but this one', async () => {
    const { email } = await newUser();
    const [mine, ...others] = [await signInWith(email), await signInWith(email), await signInWith(email)];

    const answer = await as(mine).delete(PATH);

    const left = await as(mine).get(PATH);
    expect(answer.status).toBe(204);
    expect(left.body.data).toEqual([expect.objectContaining({ current: true })]);
    for (const { access_token } of others) expect((await whoAmI(platform, access_token)).status).toBe(401);
  });

  it('are nobody else’s', async () => {
    const ann = await newUser();
    const bob = await signInWith((await newUser()).email);
    const own = await signInWith(ann.email);
    const { body } = await as(own).get(PATH);

    const answers = [await as(bob).delete(`${PATH}/${body.data[0].id}`), await as(bob).delete(`${PATH}/nonsense`)];

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect((await whoAmI(platform, own.access_token)).status).toBe(200);
  });

  it('are not shown to a personal access token', async () => {
    const { token } = await addSignedInUser(platform);
    const pat = await addApiToken(platform, token);

    const refused = await platform.as(pat.token).get(PATH);

    expect(refused.status).toBe(403);
  });

  it.each([
    'tok_01h45ytscbebyvny4gc8cr8ma2',
    '1 x',
    '2020-02-30T00:00:00.000Z x',
    '2020-02-03T00:00:00Z x',
    '+275000-01-01T00:00:00.000Z x',
  ])('have no cursor %j', async (key) => {
    const { token } = await addSignedInUser(platform);
    const cursor = Buffer.from(key).toString('base64url');

    const { status, body } = await platform.as(token).get(`${PATH}?after=${cursor}`);

    expect([status, body.error.param]).toEqual([400, 'after']);
  });

  async function newUser(): Promise<{ email: string }> {
    const { tenantId } = await addSignedInUser(platform);
    return addUser(platform, tenantId);
  }

  async function signInWith(email: string, agent = 'Browser/1.0'): Promise<TokenPair> {
    const body = { email, password: PASSWORD };
    return (await platform.request('POST', '/v1/auth/login', { body, headers: { 'user-agent': agent } })).body;
  }
});
