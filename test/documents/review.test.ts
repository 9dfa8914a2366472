import { beforeEach, describe, expect, it } from '@jest/globals';
import { addSignedInUser } from '../support/builders/accounts.js';
import { DocumentProbe, INVOICE, INVOICE_SCHEMA } from '../support/builders/documents.js';
import type { AnyJson } from '../support/probes/any-json.js';
import { auditRows } from '../support/probes/audit-rows.js';
import type { Platform } from '../support/servers/platform.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('the review of a session', () => {
  const platform = usePlatform();
  let session: DocumentProbe;
  let other: DocumentProbe;
  beforeEach(async () => void ([session, other] = await openReview(platform)));

  it('hands out each item to one person, until the lease lapses', async () => {
    const [mine, theirs] = [await claim(session, 5), await claim(other, DOCUMENTS)];
    const [first] = mine;
    const refused = await other.resolve(first?.id as string, { action: 'reject' });
    await platform.query("UPDATE document_values SET claimed_until = now() - interval '1 second' WHERE id = $1", [
      first?.id,
    ]);
    const taken = await other.resolve(first?.id as string, { action: 'reject' });

    expect([mine.length, theirs.length]).toEqual([5, DOCUMENTS - 5]);
    expect(idsOf(mine).filter((id) => idsOf(theirs).includes(id))).toEqual([]);
    expect(idsOf(await claim(session, 4))).toEqual(idsOf(mine).slice(1));
    expect(refused).toMatchObject({ status: 409, body: { error: { current: { id: first?.id, status: 'pending' } } } });
    expect(taken.status).toBe(200);
  });

  it('is resolved once each by many people at once, and completed once', async () => {
    const items = await pending();
    const answers = await Promise.all(
      items.flatMap(({ id }) => [session, other].map((probe) => probe.resolve(id, { action: 'reject' }))),
    );

    const statuses = Map.groupBy(answers, ({ status }) => status);
    const resolved = await auditRows(platform, "action = 'review_item.reject' AND target_id = ANY($1)", [idsOf(items)]);
    const completed = await auditRows(platform, "action = 'document_session.complete' AND target_id = $1", [
      session.id,
    ]);

    expect([statuses.get(200)?.length, statuses.get(409)?.length]).toEqual([DOCUMENTS, DOCUMENTS]);
    expect([resolved.length, completed.length]).toEqual([DOCUMENTS, 1]);
    expect((await session.get()).body).toMatchObject({ status: 'completed', pending_count: 0 });
  });

  it('is resolved in bulk by items, each or not at all, and the same again', async () => {
    const [one, two, three] = await pending();
    await other.resolve(three?.id as string, { action: 'reject' });
    const items = [
      { id: one?.id, action: 'correct', value: 'PO-1' },
      { id: two?.id, action: 'correct', value: 5 },
      { id: three?.id, action: 'reject' },
      { id: 'ri_01h45ytscbebyvny4gc8cr8ma2', action: 'reject' },
    ];

    const answer = await bulk({ items });
    const again = await bulk({ items });

    expect(answer).toMatchObject({
      status: 200,
      body: {
        object: 'review.bulk',
        resolved: 1,
        failed: [
          { id: two?.id, error: { code: 'bad_request' } },
          { id: three?.id, error: { code: 'conflict' } },
          { id: 'ri_01h45ytscbebyvny4gc8cr8ma2', error: { code: 'not_found' } },
        ],
        remaining: DOCUMENTS - 2,
      },
    });
    expect(again.body).toEqual(answer.body);
  });

  it('is resolved in bulk by a filter, but for what others have claimed', async () => {
    const [claimed] = await claim(other, 1);

    const answer = await bulk({ action: 'reject', filter: { field: 'purchase_order' } });
    const again = await bulk({ action: 'reject', filter: { field: 'purchase_order' } });

    const failed = [{ id: claimed?.id, error: { code: 'conflict' } }];
    expect(answer.body).toMatchObject({ resolved: DOCUMENTS - 1, failed, remaining: 1 });
    expect(again.body).toEqual(answer.body);
  });

  it.each([
    ['both', { items: [], action: 'accept', filter: {} }],
    ['neither', {}],
    ['values for all', { action: 'correct', filter: {} }],
    ['no filter', { action: 'accept' }],
    ['no items', { items: [] }],
  ])('takes no bulk with %s', async (_what, body) => {
    expect(await bulk(body)).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
  });

  it('takes the version from If-Match', async () => {
    const [item] = await pending();

    const stale = await session.resolve(item?.id ?? '', { action: 'reject' }, { 'if-match': '"7"' });
    const right = await session.resolve(item?.id ?? '', { action: 'reject' }, { 'if-match': '"1"' });

    expect([stale.status, right.status]).toEqual([409, 200]);
  });

  function bulk(body: object) {
    return session.request('POST', '/review/bulk-resolve', body);
  }

  async function claim(probe: DocumentProbe, limit: number): Promise<AnyJson[]> {
    return (await probe.request('POST', '/review/claim', { limit })).body.data as AnyJson[];
  }

  async function pending(): Promise<{ id: string }[]> {
    return (await session.review('?status=pending&limit=100')).body.data as { id: string }[];
  }
});

function idsOf(items: readonly AnyJson[]): unknown[] {
  return items.map(({ id }) => id);
}

/** Each has an item that waits. */
const DOCUMENTS = 12;

/** A session as its owner and another person see it. */
async function openReview(platform: Platform): Promise<[DocumentProbe, DocumentProbe]> {
  const [owner, other] = [await addSignedInUser(platform), await addSignedInUser(platform)];
  const session = await DocumentProbe.create(platform, owner.token, { schema: INVOICE_SCHEMA });
  await session.read(
    Object.fromEntries(Array.from({ length: DOCUMENTS }, (_, at) => [`${at}.txt`, `${INVOICE}\nNo ${at}`])),
  );
  return [session, session.as(other.token)];
}
