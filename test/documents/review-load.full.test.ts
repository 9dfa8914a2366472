import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { claim, ReviewTeam } from '../support/builders/documents/review-team.js';
import { Reviewers } from '../support/builders/documents/reviewers.js';
import { onPostgres } from '../support/servers/services.js';

const [REVIEWERS, DOCUMENTS, FIELDS] = [20, 4, 125];

onPostgres.describe('the review of a session by two replicas', () => {
  let team: ReviewTeam;
  beforeAll(async () => (team = await ReviewTeam.start(REVIEWERS)));
  afterAll(() => team.close());

  it('keeps one resolution and one audit entry of each item, and is completed once', async () => {
    const [session] = await team.open(FIELDS, DOCUMENTS);
    const reviewers = new Reviewers();

    await Promise.all(team.users.map((user, at) => reviewers.work(user, team.seenBy(at, session), at)));

    const items = await team.items(session);
    const entries = await team.entriesOf(items);
    const byId = new Map(items.map(({ id, by }) => [id, by]));
    expect(reviewers.surprises).toEqual([]);
    expect(items.map(({ version, claimed }) => ({ version, claimed }))).toEqual(
      Array(DOCUMENTS * FIELDS).fill({ version: 2, claimed: false }),
    );
    expect(entries.map(({ target_id, actor_id, action }) => `${target_id} ${actor_id} ${action}`).sort()).toEqual(
      items.map(({ id, by, status }) => `${id} ${by} review_item.${status === 'corrected' ? 'correct' : 'reject'}`),
    );
    expect(items.filter(({ status, value, by }) => value !== (status === 'corrected' ? by : null))).toEqual([]);
    expect(await team.completionsOf(session)).toBe(1);
    expect((await session.get()).body).toMatchObject({ status: 'completed', pending_count: 0 });
    // Everybody was told what is so, and what was handed out to somebody was handed out to nobody else.
    expect([...reviewers.decided].filter(([id, who]) => who.length > 1 || who[0] !== byId.get(id))).toEqual([]);
    expect([...reviewers.claimed].filter(([id, who]) => who.size > 1 || !who.has(byId.get(id) ?? ''))).toEqual([]);
    expect([reviewers.decided.size, reviewers.claimed.size].every((count) => count > 0)).toBe(true);
  });

  it('hands out no item to two people who claim at the same time, and never more than they ask for', async () => {
    const [session] = await team.open(FIELDS, 1);
    const wanted = team.users.map((_user, at) => (at % 2 === 0 ? 1 : 7));

    const claims = await Promise.all(wanted.map((limit, at) => claim(team.seenBy(at, session), limit)));

    expect(claims.map(({ length }) => length)).toEqual(wanted);
    expect(new Set(claims.flat()).size).toBe(claims.flat().length);
  });

  it('refuses what another has claimed at the other replica, until the lease has lapsed', async () => {
    const [session] = await team.open(3, 1);
    const other = team.seenBy(1, session);
    const claimed = await claim(session, 2);
    const [first = '', second = ''] = claimed;
    const items = claimed.map((id) => ({ id, action: 'reject' }));

    const refused = await other.resolve(first, { action: 'reject' });
    const bulk = await other.request('POST', '/review/bulk-resolve', { items });
    const found = await other.request('POST', '/review/bulk-resolve', { action: 'reject', filter: {} });
    await team.lapse(first);
    const freed = await claim(other, 5);
    const taken = await other.request('POST', '/review/bulk-resolve', { items });

    const conflict = (id: string) => ({ id, error: { code: 'conflict', current: { id, status: 'pending' } } });
    expect(refused).toMatchObject({ status: 409, body: { error: { current: { id: first, status: 'pending' } } } });
    expect(bulk).toMatchObject({ status: 200, body: { resolved: 0, failed: claimed.map(conflict), remaining: 3 } });
    expect(found.body).toMatchObject({ resolved: 1, failed: claimed.map(conflict), remaining: 2 });
    expect(freed).toEqual([first]);
    expect(taken.body).toMatchObject({ resolved: 1, failed: [conflict(second)], remaining: 1 });
  });

  it('is completed once by two last resolutions at the same time, 25 times out of 25', async () => {
    const sessions = await team.open(2, 1, 25);
    const endings = [];

    for (const session of sessions) {
      const items = await team.items(session);
      const answers = await Promise.all(
        items.map(({ id }, at) => team.seenBy(at, session).resolve(id, { action: 'reject' })),
      );
      const { body } = await session.get();
      endings.push([...answers.map(({ status }) => status), body.status, await team.completionsOf(session)]);
    }

    expect(endings).toEqual(Array(25).fill([200, 200, 'completed', 1]));
  });
});
