import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addTenant, addUser, signIn } from '../support/builders/accounts.js';
import { KnowledgeProbe } from '../support/builders/knowledge.js';
import { startPlatform } from '../support/servers/platform.js';
import type { Platform } from '../support/servers/platform.js';

describe('knowledge bases', () => {
  let platform: Platform;
  let [ann, bob, eve, admin] = ['', '', '', ''];
  beforeAll(begin);
  afterAll(() => platform.close());

  it('are made, read, changed and deleted by their owner', async () => {
    const handbook = { name: ' Handbook ', description: 'What new people ask' };
    const made = await platform.as(ann).post('/v1/knowledgebases', handbook);
    const path = made.headers.get('location') ?? '';

    const changed = await platform.as(ann).patch(path, { name: 'Manual', is_private: false });
    const read = await platform.as(ann).get(path);
    const deleted = await platform.as(ann).delete(path);

    expect(made).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^kb_/),
        object: 'knowledgebase',
        name: 'Handbook',
        description: 'What new people ask',
        is_private: true,
        embedding_model: 'builtin-hash-embedding',
        file_count: 0,
        size_bytes: 0,
      },
    });
    expect(Math.abs(made.body.created_at - Date.now() / 1_000)).toBeLessThan(60);
    expect(changed.body).toMatchObject({ name: 'Manual', is_private: false, description: 'What new people ask' });
    expect(read.body).toEqual(changed.body);
    expect([deleted.status, (await platform.as(ann).get(path)).status]).toEqual([204, 404]);
  });

  it.each([
    ['no name', {}, 'name'],
    ['an empty name', { name: '  ' }, 'name'],
    ['a long name', { name: 'x'.repeat(201) }, 'name'],
    ['a long description', { name: 'x', description: 'x'.repeat(2_001) }, 'description'],
    ['a text for a flag', { name: 'x', is_private: 'yes' }, 'is_private'],
  ])('are not made with %s', async (_what, body, param) => {
    const answer = await platform.as(ann).post('/v1/knowledgebases', body);

    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request', param } } });
  });

  it.each([
    ['none that is there', 'nothing', 404],
    ['none for embeddings', 'builtin-extractive', 409],
  ])('have a model for embeddings, and %s', async (_what, model, status) => {
    const answer = await platform.as(ann).post('/v1/knowledgebases', { name: 'x', embedding_model: model });

    expect(answer.status).toBe(status);
  });

  it('that are private exist for nobody else, administrators included', async () => {
    const base = await KnowledgeProbe.create(platform, ann);

    const statuses = await Promise.all(
      [bob, eve, admin].map(async (token) => [
        (await base.as(token).request('GET')).status,
        (await base.as(token).request('PATCH', '', { name: 'x' })).status,
        (await base.as(token).request('DELETE')).status,
        (await base.as(token).request('GET', '/files')).status,
        (await base.as(token).request('POST', '/query', { query: 'x' })).status,
        (await base.as(token).send({ 'a.txt': 'text' })).status,
      ]),
    );

    expect(statuses).toEqual(Array(3).fill(Array(6).fill(404)));
  });

  it('that are not private are read by the tenant, and changed by their owner and administrators', async () => {
    const base = await KnowledgeProbe.create(platform, ann, { is_private: false });
    const statusesOf = async (token: string) => [
      (await base.as(token).request('GET')).status,
      (await base.as(token).request('POST', '/query', { query: 'x' })).status,
      (await base.as(token).send({ 'a.txt': `text of ${token.slice(-9)}` })).status,
      (await base.as(token).request('PATCH', '', { name: 'x' })).status,
    ];

    expect(await statusesOf(bob)).toEqual([200, 200, 403, 403]);
    expect(await statusesOf(eve)).toEqual([404, 404, 404, 404]);
    expect(await statusesOf(admin)).toEqual([200, 200, 202, 200]);
  });

  it('are listed where they may be read', async () => {
    const mine = await KnowledgeProbe.create(platform, bob);
    const open = await KnowledgeProbe.create(platform, ann, { is_private: false });
    const hidden = await KnowledgeProbe.create(platform, ann);

    const { body } = await platform.as(bob).get('/v1/knowledgebases?limit=100');

    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining([mine.id, open.id]));
    expect(ids).not.toContain(hidden.id);
    expect(
      body.data.every((base: { is_private: boolean; owner_id: string }) => !base.is_private || base.owner_id),
    ).toBe(true);
  });

  /** Two users and an administrator of one tenant, and a user of another. */
  async function begin(): Promise<void> {
    platform = await startPlatform();
    const [ours, theirs] = [await addTenant(platform), await addTenant(platform)];
    const tokenOf = async (tenantId: string, privileges: ('admin' | 'user')[] = ['user']) =>
      (await signIn(platform, (await addUser(platform, tenantId, { privileges })).email)).access_token;
    [ann, bob, eve] = [await tokenOf(ours), await tokenOf(ours), await tokenOf(theirs)];
    admin = await tokenOf(ours, ['user', 'admin']);
  }
});
