import { beforeAll, describe, expect, it } from '@jest/globals';
import { addApiToken, addSignedInAdmin, addSignedInUser, addTenant } from '../support/builders/accounts.js';
import type { SignedInUser } from '../support/builders/accounts.js';
import { DocumentProbe, INVOICE, INVOICE_SCHEMA } from '../support/builders/documents.js';
import { newServiceKey } from '../support/servers/service-key.js';
import { usePlatform } from '../support/servers/use-servers.js';

const service = newServiceKey();

describe('who sees a session of documents', () => {
  const platform = usePlatform(service.env);
  let [owner, mate, admin, stranger]: [SignedInUser, SignedInUser, SignedInUser, SignedInUser] = [] as never;
  beforeAll(async () => {
    const tenantId = await addTenant(platform);
    [owner, mate] = [await addSignedInUser(platform, tenantId), await addSignedInUser(platform, tenantId)];
    admin = await addSignedInAdmin(platform, tenantId);
    stranger = await addSignedInUser(platform, await addTenant(platform));
  });

  it.each([
    ['a private one: its owner and administrators', true, [200, 404, 200, 404]],
    ['any other: everybody of the tenant', false, [200, 200, 200, 404]],
  ])('%s', async (_what, isPrivate, statuses) => {
    const session = await open(isPrivate);
    const [document] = await session.read({ 'invoice.txt': INVOICE });
    const paths = [
      '',
      '/documents',
      `/documents/${document?.id}`,
      '/review',
      '/results',
      `/documents/${document?.id}/content`,
    ];

    const seen = await Promise.all(
      [owner, mate, admin, stranger].map(({ token }) =>
        Promise.all(paths.map(async (path) => (await session.as(token).fetch(path)).status)),
      ),
    );
    const listed = await Promise.all([owner, mate, admin, stranger].map(({ token }) => isListed(session, token)));

    expect(seen).toEqual(statuses.map((status) => paths.map(() => status)));
    expect(listed).toEqual(statuses.map((status) => status === 200));
  });

  it('is asked again when an address is used', async () => {
    const session = await open(true);
    const [document] = await session.read({ 'invoice.txt': INVOICE });
    const query = `query ($id: ID!, $doc: ID!) { sessionDocumentContent(sessionId: $id, id: $doc) { url } }`;
    const variables = { id: session.id, doc: document?.id };
    const { body } = await platform.request('POST', '/graphql', { token: admin.token, body: { query, variables } });
    const { url } = body.data.sessionDocumentContent as { url: string };

    const before = await fetch(new URL(url, platform.url));
    await platform.query(`UPDATE users SET privileges = '{user}' WHERE id = $1`, [admin.id]);
    const after = await fetch(new URL(url, platform.url));

    expect([before.status, await before.text(), after.status]).toEqual([200, INVOICE, 404]);
  });

  it('takes what people may do alone: its scopes, and the deletion by its owner', async () => {
    const session = await open(false);
    const { token: reading } = await addApiToken(platform, owner.token, ['documents:read']);

    const added = await session.as(reading).send({ 'invoice.txt': INVOICE });
    const deleted = await session.as(mate.token).request('DELETE');

    expect([added.status, deleted.status, (await session.as(reading).get()).status]).toEqual([403, 403, 200]);
  });

  it('leaves nothing of a person who is erased', async () => {
    const [shared, own] = [
      await open(false),
      await DocumentProbe.create(platform, mate.token, { schema: INVOICE_SCHEMA }),
    ];
    await own.read({ 'invoice.txt': INVOICE });
    await shared.read({ 'kept.txt': INVOICE });
    await shared.as(mate.token).read({ 'gone.txt': `${INVOICE}\n` });
    const { body: items } = await shared.review();
    const [item] = items.data as [{ id: string }];
    await shared.as(mate.token).resolve(item.id, { action: 'reject', comment: 'I looked.' });

    await platform.request('DELETE', `/v1/auth/users/${mate.id}`, { token: service.key });
    await own.untilErased();
    await shared.untilForgotten(mate.id);

    expect((await shared.get()).body).toMatchObject({ document_count: 1, unfinished_count: 0 });
    expect((await shared.request('GET', '/documents')).body.data).toMatchObject([{ filename: 'kept.txt' }]);
  });

  function open(isPrivate: boolean): Promise<DocumentProbe> {
    return DocumentProbe.create(platform, owner.token, { schema: INVOICE_SCHEMA, is_private: isPrivate });
  }

  async function isListed({ id }: DocumentProbe, token: string): Promise<boolean> {
    const { body } = await platform.request('GET', '/v1/document-analyzer/sessions?limit=100', { token });
    return (body.data as { id: string }[]).some((session) => session.id === id);
  }
});
