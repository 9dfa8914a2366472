import { describe, expect, it } from '@jest/globals';
import { sendRaw } from '../support/probes/raw-client.js';
import { usePlatform } from '../support/servers/use-servers.js';

const HOST = 'Host: a\r\n';
const JSON_BODY = 'content-type: application/json\r\n';

describe('the head of a request', () => {
  const platform = usePlatform();

  it.each(faults())('with %s is refused with %i and an error object', async (_what, status, text) => {
    const answer = await sendRaw(platform.url, text);

    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      status,
      { error: expect.objectContaining({ type: 'invalid_request_error', code: 'bad_request' }) },
    ]);
    expect(answer.head).toMatch(/^x-request-id: [\w-]{36}$/m);
  });

  const paths = [
    '//v1/models',
    '/v1//models',
    '/v1/../health',
    '/./health',
    '/v1/%2e%2e/health',
    '/v1/models/..',
    '/V1/models',
  ];

  it.each(paths)('with the path %s leads nowhere', async (path) => {
    const answer = await sendRaw(platform.url, `GET ${path} HTTP/1.1\r\n${HOST}\r\n`);

    // Dots in place of an id are an id, for which a caller is needed.
    expect([401, 404]).toContain(answer.status);
    expect(answer.body).toMatch(/"(not_found|unauthorized)"/);
  });

  it('may be of HTTP/1.0, without a host', async () => {
    const answer = await sendRaw(platform.url, 'GET /health HTTP/1.0\r\n\r\n');

    expect(answer.status).toBe(200);
  });

  it('is refused once, also where much more comes behind it', async () => {
    const answer = await sendRaw(platform.url, `GET /health HTTP/1.1\r\n${'x: y\r\n'.repeat(50_000)}`);

    expect(answer.status).toBe(431);
    expect(JSON.parse(answer.body).error.code).toBe('bad_request');
  });

  it('with a range that a file does not have is the fault of the client', async () => {
    const range = await platform.request('GET', '/docs/swagger-ui.css', { headers: { range: 'bytes=99999999-' } });

    expect([range.status, range.body.error.type]).toEqual([416, 'invalid_request_error']);
  });

  it('never makes the server log an error', async () => {
    const health = await sendRaw(platform.url, `GET /health HTTP/1.1\r\n${HOST}\r\n`);
    const levels = platform.logLines.map((line) => JSON.parse(line).level);

    expect(health.status).toBe(200);
    expect(Math.max(...levels)).toBeLessThan(50);
  });

  function faults(): [string, number, string][] {
    return [
      ['two hosts', 400, `GET /health HTTP/1.1\r\n${HOST}Host: b\r\n\r\n`],
      ['no host', 400, 'GET /health HTTP/1.1\r\n\r\n'],
      ['no version', 400, 'GET /health\r\n\r\n'],
      ['HTTP/2.0 in its line', 400, `GET /health HTTP/2.0\r\n${HOST}\r\n`],
      ['the preface of HTTP/2', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['an unknown expectation', 417, `GET /health HTTP/1.1\r\n${HOST}Expect: tea\r\n\r\n`],
      ['a second expectation', 417, `GET /health HTTP/1.1\r\n${HOST}Expect: 100-continue, tea\r\n\r\n`],
      ['two credentials', 400, `GET /v1/models HTTP/1.1\r\n${HOST}Authorization: Bearer a\r\nauthorization: b\r\n\r\n`],
      ['two types', 400, `POST /v1/auth/login HTTP/1.1\r\n${HOST}${JSON_BODY}${JSON_BODY}content-length: 2\r\n\r\n{}`],
      ['two idempotency keys', 400, `POST /v1/x HTTP/1.1\r\n${HOST}idempotency-key: a\r\nIdempotency-Key: a\r\n\r\n`],
      ['two keys of its own', 400, `GET /v1/x HTTP/1.1\r\n${HOST}x-byok-api-key: a\r\nx-byok-api-key: b\r\n\r\n`],
      ['two lengths', 400, `POST /v1/x HTTP/1.1\r\n${HOST}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`],
      ['the same length twice', 400, `POST /v1/x HTTP/1.1\r\n${HOST}content-length: 2\r\ncontent-length: 2\r\n\r\n{}`],
      ['a length that is no number', 400, `POST /v1/x HTTP/1.1\r\n${HOST}content-length: 2x\r\n\r\n{}`],
      [
        'a length and chunks',
        400,
        `POST /v1/x HTTP/1.1\r\n${HOST}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      ],
      ['a coding that is not chunked', 400, `POST /v1/x HTTP/1.1\r\n${HOST}transfer-encoding: gzip\r\n\r\n0\r\n\r\n`],
      [
        'a coding below the chunks',
        400,
        `POST /v1/auth/login HTTP/1.1\r\n${HOST}${JSON_BODY}transfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      ],
      [
        'a chunk without a size',
        400,
        `POST /v1/auth/login HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\n\r\nzz\r\n`,
      ],
      ['a folded header', 400, `GET /health HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n\r\n`],
      ['a blank before a colon', 400, 'GET /health HTTP/1.1\r\nHost : a\r\n\r\n'],
      ['lines without CR', 400, 'GET /health HTTP/1.1\nHost: a\n\n'],
      ['a bare CR', 400, 'GET /health HTTP/1.1\r\nHost: a\rX: b\r\n\r\n'],
      ['another server in its target', 400, `GET http://evil/v1/models HTTP/1.1\r\n${HOST}\r\n`],
      ['this server in its target', 400, `GET http://a/health HTTP/1.1\r\n${HOST}\r\n`],
      ['a star', 400, `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
      ['a fragment', 400, `GET /health#x HTTP/1.1\r\n${HOST}\r\n`],
      ['the wish for a tunnel', 400, 'CONNECT evil:443 HTTP/1.1\r\nHost: evil:443\r\n\r\n'],
      ['an unknown method', 400, `BREW /health HTTP/1.1\r\n${HOST}\r\n`],
      ['a NUL', 400, `GET /heal\0th HTTP/1.1\r\n${HOST}\r\n`],
      ['a line over 16 KiB', 431, `GET /${'a'.repeat(17_000)} HTTP/1.1\r\n${HOST}\r\n`],
      ['headers over 16 KiB', 431, `GET /health HTTP/1.1\r\n${HOST}x: ${'a'.repeat(17_000)}\r\n\r\n`],
      ['thousands of headers', 431, `GET /health HTTP/1.1\r\n${HOST}${'a:\r\n'.repeat(3_500)}\r\n`],
      ['two hosts and an upgrade', 400, upgrade(`${HOST}Host: b\r\n`)],
    ];
  }
});

function upgrade(host: string): string {
  return `GET /graphql HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'a'.repeat(22)}==\r\n\r\n`;
}
