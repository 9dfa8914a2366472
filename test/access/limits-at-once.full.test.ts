import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { INVOICE_SCHEMA } from '../support/builders/documents.js';
import { usePlatform } from '../support/servers/use-servers.js';

const DIRECTORY = { kind: 'ldap', url: 'ldaps://127.0.0.1:1024', base_dn: 'ou=people,dc=example,dc=test' };

const platform = usePlatform({ EGRESS_ALLOW: '127.0.0.0/8' });

it.each([
  ['knowledge_bases', '/v1/knowledgebases', {}, 1_000],
  ['recordings', '/v1/echo/recordings', { title: 'Test' }, 10_000],
  ['document_sessions', '/v1/document-analyzer/sessions', { schema: INVOICE_SCHEMA }, 10_000],
  ['backends', '/v1/admin/backends', { kind: 'openai', base_url: 'http://127.0.0.1:1024/v1' }, 100],
  ['identity_providers', '/v1/admin/identity-providers', DIRECTORY, 50],
  ['sanitizer_policies', '/v1/admin/sanitizer/policies', { rules: [{ kind: 'email', action: 'mask' }] }, 20],
])('no more than an owner may have are made at once: %s', async (table, path, body, most) => {
  const { access_token: token } = await platform.login();
  const make = () => platform.request('POST', path, { token, body: { ...body, ...named(table) } });
  expect((await make()).status).toBe(201);
  await platform.query(
    `INSERT INTO ${table} SELECT (jsonb_populate_record(t, to_jsonb(t) || jsonb_build_object('id', t.id || n) ||
       CASE WHEN to_jsonb(t) ? 'name' THEN jsonb_build_object('name', 'n' || n) ELSE '{}' END)).*
     FROM ${table} t, generate_series(1, $1) n`,
    [most - 2],
  );

  const answers = await Promise.all(Array.from({ length: 8 }, make));

  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
});

function named(table: string): { readonly name?: string } {
  return table === 'recordings' ? {} : { name: `n-${randomUUID()}` };
}
