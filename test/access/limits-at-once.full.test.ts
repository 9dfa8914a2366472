import { expect, it } from '@jest/globals';
import { usePlatform } from '../support/servers/use-servers.js';

const platform = usePlatform();

it.each([
  ['knowledge_bases', '/v1/knowledgebases', { name: 'Test' }, 1_000],
  ['recordings', '/v1/echo/recordings', { title: 'Test' }, 10_000],
])('no more than a user may have are made at once: %s', async (table, path, body, most) => {
  const { access_token: token } = await platform.login();
  const make = () => platform.request('POST', path, { token, body });
  await make();
  await platform.query(
    `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object('id', t.id || n))).*
     FROM ${table} t, generate_series(1, $1) n`,
    [most - 2],
  );

  const answers = await Promise.all(Array.from({ length: 8 }, make));

  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
});
