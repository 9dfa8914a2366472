import { beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInUser } from '../../support/builders/accounts.js';
import { CHAT } from '../../support/builders/chat-request.js';
import { HANDBOOK, KnowledgeProbe } from '../../support/builders/knowledge.js';
import { eventually } from '../../support/probes/eventually.js';
import { holdConnection, poolOf, recordExecuted } from '../../support/probes/executed-statements.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('searches of knowledge bases, where the database has one connection', () => {
  const gateway = useGateway({ env: { DATABASE_POOL_SIZE: '1', RATE_LIMIT_REQUESTS_PER_MINUTE: '0' } });
  let [base, others]: [KnowledgeProbe, KnowledgeProbe] = [] as never;

  beforeAll(async () => {
    base = await KnowledgeProbe.create(gateway.platform, gateway.token, { is_private: false });
    others = base.as((await addSignedInUser(gateway.platform)).token);
    await base.index({ 'handbook.md': HANDBOOK });
  });

  it('let sign-ins and chats go first, of which each waits for one statement of a search at most', async () => {
    const release = await holdConnection(gateway.platform);
    using executed = recordExecuted(gateway.platform);
    const searches = Array.from({ length: 30 }, () => base.query('When is lunch?'));
    await eventually('the first of them waits for the connection', 10, async () => waiting() > 0);
    const before = waiting();
    const answers = [gateway.platform.login(), gateway.chat(CHAT), others.query('Who pays for lunch?')];
    await eventually('the others wait for it, too', 10, async () => waiting() > before);
    await release();

    await Promise.all([...searches, ...answers]);

    const ahead = executed.findIndex(({ text }) => !isOfSearch(text));
    const inARow = executed.filter(
      ({ text, waiting: behind }, at) => behind > 0 && isOfSearch(text) && isOfSearch(executed[at + 1]?.text),
    );
    expect(executed.filter(({ text }) => isOfSearch(text)).length).toBeGreaterThan(31 * 4);
    expect(ahead).toBeLessThanOrEqual(1);
    expect(inARow).toEqual([]);
  });

  it('are 429 beyond those of a user that may wait, and others still have their turn', async () => {
    const release = await holdConnection(gateway.platform);
    const searches = Array.from({ length: 45 }, () => base.request('POST', '/query', { query: 'lunch' }));
    const overGraphql = gateway.platform.graphql(QUERY, { id: base.id }, gateway.token);
    const foreign = others.request('POST', '/query', { query: 'lunch' });
    const refused = [await Promise.race(searches), (await overGraphql).body.errors?.[0].extensions];
    await release();

    const statuses = (await Promise.all(searches)).map(({ status }) => status);

    expect(refused).toEqual([expect.objectContaining({ status: 429 }), expect.objectContaining({ status: 429 })]);
    expect(Number((refused[0] as { headers: Headers }).headers.get('retry-after'))).toBeGreaterThan(0);
    expect(statuses.toSorted()).toEqual([...Array<number>(44).fill(200), 429]);
    expect((await foreign).status).toBe(200);
  });

  function waiting(): number {
    return poolOf(gateway.platform).waitingCount;
  }
});

describe('searches of knowledge bases', () => {
  const gateway = useGateway({ env: { RATE_LIMIT_REQUESTS_PER_MINUTE: '2' } });

  it('count in the request limit, over REST and GraphQL', async () => {
    const base = await KnowledgeProbe.create(gateway.platform, gateway.token);

    const first = await base.request('POST', '/query', { query: 'lunch' });
    const second = await gateway.platform.graphql(QUERY, { id: base.id }, gateway.token);
    const third = await base.request('POST', '/query', { query: 'lunch' });

    expect([first.status, first.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '1']);
    expect(second.body.errors).toBeUndefined();
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  });
});

const QUERY = 'query ($id: ID!) { queryKnowledgeBase(id: $id, query: "lunch") { data { text } } }';

function isOfSearch(text = ''): boolean {
  return text.includes('knowledge_');
}
