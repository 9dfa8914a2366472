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
