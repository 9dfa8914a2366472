import { describe, expect, it } from '@jest/globals';
import { addStaffedTenant } from '../../support/builders/accounts.js';
import { sseClient } from '../../support/builders/graphql-clients.js';
import { usePlatform, useTenant } from '../../support/servers/use-servers.js';
import { addResearchSession, queries, sentEvents, SESSIONS, tell } from '../../support/builders/research.js';
import type { SentEvent } from '../../support/builders/research.js';

const DONE = [{ type: 'done', data: { status: 'completed' } }] as const;

describe('the events of a research session', () => {
  const platform = usePlatform();
  const tenant = useTenant(platform);

  it('are all sent of a session that is over, and the stream ends', async () => {
    const id = await over(3);

    const response = await open(id);
    const events = sentEvents(await response.text());

    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(events).toEqual([
      { event: 'query', id: 1, data: { query: 'query 1' } },
      { event: 'query', id: 2, data: { query: 'query 2' } },
      { event: 'query', id: 3, data: { query: 'query 3' } },
      { event: 'done', id: 4, data: { status: 'completed' } },
    ]);
  });

  it.each<[string, string, Record<string, string>, number[]]>([
    ['the header', '', { 'last-event-id': '2' }, [3, 4]],
    ['the query', '?last_event_id=3', {}, [4]],
    ['the header before the query', '?last_event_id=0', { 'last-event-id': '3' }, [4]],
    ['the beginning', '?last_event_id=0', {}, [1, 2, 3, 4]],
    ['the end', '', { 'last-event-id': '4' }, []],
  ])('go on behind what %s says', async (_what, query, headers, expected) => {
    const id = await over(3);

    const response = await open(id, query, headers);

    expect(response.status).toBe(200);
    expect(sentEvents(await response.text()).map((event) => event.id)).toEqual(expected);
  });

  it.each<[string, string, Record<string, string>]>([
    ['one that is to come', '?last_event_id=5', {}],
    ['one that is to come, in the header', '', { 'last-event-id': '5' }],
    ['a negative one', '?last_event_id=-1', {}],
    ['a word', '?last_event_id=last', {}],
    ['a word in the header', '', { 'last-event-id': 'last' }],
    ['a fraction', '', { 'last-event-id': '1.5' }],
    ['a hexadecimal one', '', { 'last-event-id': '0x1' }],
    ['two', '?last_event_id=1&last_event_id=2', {}],
    ['two in the header', '', { 'last-event-id': '1, 2' }],
    ['an empty one', '', { 'last-event-id': '' }],
    ['one beyond all numbers', '', { 'last-event-id': '99999999999999999999' }],
  ])('are not sent behind %s', async (_what, query, headers) => {
    const id = await over(3);

    const response = await open(id, query, headers);

    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'bad_request' } }]);
  });

  it('are not sent behind what is no number, and the answer names the header that has it', async () => {
    const id = await over(3);

    const response = await open(id, '', { 'last-event-id': 'last' });

    expect(await response.json()).toMatchObject({ error: { param: 'last-event-id' } });
  });

  it('follow as they come, in their order, until the session is over', async () => {
    const id = await addResearchSession(platform, tenant.user);
    await tell(platform, id, queries(1, 2));
    const reading = open(id, '', { 'last-event-id': '1' }).then((response) => response.text());

    await tell(platform, id, queries(3, 1_500));
    await tell(platform, id, queries(1_501, 1_502));
    await tell(platform, id, DONE, 'completed');

    expect(sentEvents(await reading).map((event) => event.id)).toEqual(
      Array.from({ length: 1_502 }, (_, index) => index + 2),
    );
  });

  it('are not waited for by who asks for the head alone', async () => {
    const id = await addResearchSession(platform, tenant.user);
    const path = `${SESSIONS}/${id}/events`;

    const response = await platform.send('HEAD', path, { token: tenant.user.token });

    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
  });

  it('are told within moments where another request has made them', async () => {
    const id = await addResearchSession(platform, tenant.user);
    const response = await open(id);

    await platform.request('POST', `${SESSIONS}/${id}/cancel`, { token: tenant.user.token });

    expect(sentEvents(await response.text())).toEqual([
      { event: 'status', id: 1, data: { status: 'cancelled', progress: 0.25 } },
    ]);
  });

  it('end with an error when the session is deleted', async () => {
    const id = await addResearchSession(platform, tenant.user);
    await tell(platform, id, queries(1, 1));
    const response = await open(id);

    await platform.request('DELETE', `${SESSIONS}/${id}`, { token: tenant.user.token });
    const events = sentEvents(await response.text());

    expect(events).toEqual([
      { event: 'query', id: 1, data: { query: 'query 1' } },
      { event: 'error', data: { error: expect.objectContaining({ code: 'not_found' }) } },
    ]);
  });

  it('end with the sign-in of whoever reads them', async () => {
    const { user } = await addStaffedTenant(platform);
    const id = await addResearchSession(platform, user);
    const response = await open(id, '', {}, user.token);

    await platform.request('POST', '/v1/auth/logout', { body: { access_token: user.token } });
    const [event] = sentEvents(await response.text());

    expect(event).toMatchObject({ event: 'error', data: { error: { code: 'unauthorized' } } });
  });

  it('are as large as they are, and no larger together than a reader can hold', async () => {
    const id = await addResearchSession(platform, tenant.user);
    await tell(platform, id, queries(1, 30, { text: 'ä'.repeat(10_000) }));
    await tell(platform, id, queries(31, 32, { text: 'ä'.repeat(200_000) }));
    await tell(platform, id, DONE, 'completed');

    const events = sentEvents(await (await open(id)).text());

    expect(events.map((event) => event.id)).toEqual(Array.from({ length: 33 }, (_, index) => index + 1));
    expect(events[31]?.data.text).toHaveLength(200_000);
  });

  it('are the same over GraphQL', async () => {
    const id = await over(3);
    const query =
      'subscription ($id: ID!, $last: Int) { researchSessionEvents(id: $id, lastEventId: $last) { sequence type data } }';
    const client = sseClient({ url: platform.url, token: tenant.user.token });

    const events: unknown[] = [];
    for await (const { data } of client.iterate({ query, variables: { id, last: 2 } })) {
      events.push((data as { researchSessionEvents: unknown }).researchSessionEvents);
    }

    expect(events).toEqual([
      { sequence: 3, type: 'query', data: { query: 'query 3' } },
      { sequence: 4, type: 'done', data: { status: 'completed' } },
    ]);
  });

  it('go on when the session does', async () => {
    const id = await addResearchSession(platform, tenant.user);
    await tell(platform, id, queries(1, 1), 'failed');
    const before = sentEvents(await (await open(id)).text());
    await platform.query("UPDATE research_sessions SET status = 'searching' WHERE id = $1", [id]);
    const response = await open(id, '?last_event_id=1');

    await tell(platform, id, DONE, 'completed');
    const after = sentEvents(await response.text());

    expect([before, after].map((events: SentEvent[]) => events.map((event) => event.id))).toEqual([[1], [2]]);
  });

  function open(id: string, query = '', headers: Record<string, string> = {}, token = tenant.user.token) {
    return platform.send('GET', `${SESSIONS}/${id}/events${query}`, { token, headers });
  }

  async function over(count: number): Promise<string> {
    const id = await addResearchSession(platform, tenant.user);
    await tell(platform, id, [...queries(1, count), ...DONE], 'completed');
    return id;
  }
});
