import { beforeAll, describe, expect, it } from '@jest/globals';
import { usePlatform } from '../support/servers/use-servers.js';

describe('a number in a query', () => {
  const platform = usePlatform();
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
  });

  it.each(wrong())('is not %j', async (text) => {
    const answer = await platform.request('GET', `/v1/api-tokens?limit=${text}`, { token });

    expect([answer.status, answer.body.error]).toEqual([
      400,
      expect.objectContaining({ type: 'invalid_request_error', code: 'bad_request', param: 'limit' }),
    ]);
  });

  it('is a whole number in plain digits', async () => {
    const answer = await platform.request('GET', '/v1/api-tokens?limit=5', { token });

    expect([answer.status, answer.body.object]).toEqual([200, 'list']);
  });

  function wrong() {
    return ['0x10', '1e1', '%2B5', '%205', '5%20', 'Infinity', 'NaN', '', '05', '5.0', '-', '٣', '1_0', '5&limit=6'];
  }
});

describe('a format in a query', () => {
  const platform = usePlatform();
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
  });

  it.each(['xml', 'CSV', ''])('is refused where no operation is for it: %j', async (format) => {
    const answer = await platform.request('GET', `/v1/admin/audit-logs?format=${format}`, { token });

    expect([answer.status, answer.body.error]).toEqual([
      400,
      {
        message: 'format must be one of json, ndjson, csv.',
        type: 'invalid_request_error',
        code: 'bad_request',
        param: 'format',
      },
    ]);
  });

  it('is JSON where nothing else is asked for', async () => {
    const answer = await platform.request('GET', '/v1/admin/audit-logs?format=json', { token });

    expect([answer.status, answer.body.object]).toEqual([200, 'list']);
  });
});
