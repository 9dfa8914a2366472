import { describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../support/probes/any-json.js';
import { auditRows } from '../support/probes/audit-rows.js';
import { eventually } from '../support/probes/eventually.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('what a request is called', () => {
  const platform = usePlatform();

  it('by its client stands in the answer, the log and the audit log, each with the server’s own id', async () => {
    const answered = await signIn({ 'x-request-id': 'mine-1' });

    const line = await lineOf(answered);
    const rows = await auditRows(platform, "request_id = 'mine-1'");
    expect(answered).toBe('mine-1');
    expect(line.server_request_id).not.toBe('mine-1');
    expect(rows).toMatchObject([{ action: 'user.sign_in', server_request_id: line.server_request_id }]);
  });

  it.each([
    ['names none', {}],
    ['names it in another form', { 'x-request-id': 'no name' }],
  ])('is the server’s own id where its client %s', async (_, headers) => {
    const answered = await signIn(headers);

    const line = await lineOf(answered);
    const rows = await auditRows(platform, 'server_request_id = $1', [answered]);
    expect(line.server_request_id).toBe(answered);
    expect(rows).toMatchObject([{ action: 'user.sign_in', request_id: null }]);
  });

  it.each(['access', 'refresh', 'personal'])('is masked where it is a token of this server: %s', async (which) => {
    const tokens = await platform.login();
    const made = await platform.request('POST', '/v1/api-tokens', {
      token: tokens.access_token,
      body: { name: which, scopes: ['models:read'] },
    });
    const given: Record<string, string> = {
      access: tokens.access_token,
      refresh: tokens.refresh_token,
      personal: made.body.token,
    };
    const token = given[which] ?? '';

    const answered = await signIn({
      'user-agent': `curl/8 (${token})`,
      ...(token.length <= 128 && { 'x-request-id': `a-${token}` }),
    });
    await lineOf(answered);

    const [row] = await auditRows(platform, 'user_agent LIKE $1', ['curl/8 (%']);
    const sessions = await platform.query<{ user_agent: string }>(
      "SELECT user_agent FROM sessions WHERE user_agent LIKE 'curl/8 (%'",
    );
    expect(row?.user_agent).toBe('curl/8 (masked-token)');
    expect(sessions.every((session) => session.user_agent === 'curl/8 (masked-token)')).toBe(true);
    expect(platform.logLines.join('\n')).not.toContain(token.slice(-20));
  });

  it.each([
    '0af7651916cd43dd8448eb211c80319c',
    '7c9E6679-7425-40de-944b-e07fc1f90ae7',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  ])('is kept where it is another id: %s', async (id) => {
    expect(await signIn({ 'x-request-id': id })).toBe(id);
  });

  /** Signs in, and answers what the request is called by its answer. */
  async function signIn(headers: Record<string, string>): Promise<string> {
    const { email, password } = platform.admin;
    const answer = await platform.request('POST', '/v1/auth/login', { body: { email, password }, headers });
    return String(answer.headers.get('x-request-id'));
  }

  /** The line of a request in the log. */
  function lineOf(requestId: string): Promise<AnyJson> {
    return eventually('the request is logged', 5, () => {
      const lines = platform.logLines.map((line) => JSON.parse(line) as AnyJson);
      return lines.find(({ msg, request_id: id }) => msg === 'request' && id === requestId);
    });
  }
});
