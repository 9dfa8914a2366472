import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from '../support/servers/platform.js';
import type { Client, RestAnswer } from '../support/servers/platform.js';
import { usePlatform } from '../support/servers/use-servers.js';

const CHAT = '/v1/chat/completions';
const MAX_JSON_BYTES = 4_096;

describe('bad input', () => {
  const platform = usePlatform({ MAX_JSON_BYTES: String(MAX_JSON_BYTES) });
  let [admin, token]: [Client, string] = [] as never;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
    admin = platform.as(token);
  });

  it.each(bodies())('refuses %s with 400', async (_what, body, message) => {
    const answer = await admin.post(CHAT, body);

    expectError(answer, 400, 'invalid_request_error', 'bad_request');
    expect(answer.body.error.message).toMatch(message);
  });

  it('ignores an upgrade to what it does not speak', async () => {
    const { port } = new URL(platform.url);
    const { status, body } = await new Promise<{ status?: number; body: string }>((resolve, reject) => {
      const asked = httpRequest(
        { port, host: '127.0.0.1', path: '/v1/nothing', headers: { connection: 'Upgrade', upgrade: 'h2c' } },
        (response) => {
          let text = '';
          response.on('data', (part) => (text += String(part)));
          response.on('end', () => resolve({ status: response.statusCode, body: text }));
        },
      );
      asked.on('error', reject).end();
    });

    expect(status).toBe(404);
    expect(JSON.parse(body).error.code).toBe('not_found');
  });

  it('refuses one value where a list is wanted', async () => {
    const answer = await admin.post('/v1/api-tokens', { name: 'a', scopes: 'chat:write' });

    expectError(answer, 400, 'invalid_request_error', 'bad_request');
    expect(answer.body.error.param).toBe('scopes');
  });

  const fields: [string, unknown, string][] = [
    ['a missing model', { messages: [{ role: 'user', content: 'x' }] }, 'model'],
    ['a model that is no string', { model: 5, messages: [{ role: 'user', content: 'x' }] }, 'model'],
    ['missing messages', { model: 'builtin-extractive' }, 'messages'],
    ['messages that are no list', { model: 'builtin-extractive', messages: 'hello' }, 'messages'],
    ['no message', { model: 'builtin-extractive', messages: [] }, 'messages'],
    ['a message without a role', { model: 'builtin-extractive', messages: [{ content: 'x' }] }, 'messages'],
    [
      'a stream that is no boolean',
      { model: 'builtin-extractive', stream: 'yes', messages: [{ role: 'user', content: 'x' }] },
      'stream',
    ],
  ];

  it.each(fields)('refuses %s and names the field', async (_what, body, field) => {
    const answer = await admin.post(CHAT, body);

    expectError(answer, 400, 'invalid_request_error', 'bad_request');
    expect(answer.body.error.message).toContain(field);
    expect(answer.body.error.param).toMatch(new RegExp(`^${field}`));
  });

  it('refuses a typed field of the wrong type and names it', async () => {
    const missing = await platform.request('POST', '/v1/auth/login', { body: { email: 'a@b.c' } });
    const mistyped = await platform.request('POST', '/v1/auth/login', { body: { email: { a: 1 }, password: 'x' } });

    expectError(missing, 400, 'invalid_request_error', 'bad_request');
    expect(missing.body.error).toMatchObject({ param: 'password', message: 'password is required.' });
    expectError(mistyped, 400, 'invalid_request_error', 'bad_request');
    expect(mistyped.body.error.param).toBe('email');
  });

  it('refuses other content types with 415', async () => {
    const text = await admin.post(CHAT, '{}', { headers: { 'content-type': 'text/plain' } });
    const form = await admin.post(CHAT, 'a=b', { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    const latin = await admin.post(CHAT, '{}', { headers: { 'content-type': 'application/json; charset=latin1' } });
    const gzip = await admin.post(CHAT, '{}', { headers: { 'content-encoding': 'gzip' } });

    for (const answer of [text, form, latin, gzip]) {
      expectError(answer, 415, 'invalid_request_error', 'unsupported_media_type');
    }
  });

  it('refuses a body over the limit with 413, announced or not', async () => {
    const announced = await admin.post(CHAT, { model: 'm', filler: 'x'.repeat(MAX_JSON_BYTES) });
    const chunked = await sendChunked(platform.url, token, 'x'.repeat(MAX_JSON_BYTES + 1));

    expectError(announced, 413, 'invalid_request_error', 'payload_too_large');
    expect(chunked).toBe(413);
  });

  it('refuses more than 64 KiB from anyone without a token', async () => {
    const other = await startPlatform();
    const body = { email: 'a@b.c', password: 'x'.repeat(70_000) };

    const answer = await other.request('POST', '/v1/auth/login', { body });
    await other.close();

    expectError(answer, 413, 'invalid_request_error', 'payload_too_large');
  });

  it('asks for a token before it reads a body', async () => {
    const answer = await platform.request('POST', '/v1/chat/completions', { body: '{"broken' });

    expectError(answer, 401, 'permission_error', 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('answers unknown paths, ids and models with 404', async () => {
    const path = await admin.get('/v1/nothing');
    const encoded = await admin.get('/v1/models/%E0%A4%A');
    const model = await admin.get('/v1/models/none');
    const tenant = await admin.get('/v1/admin/tenants/nonsense');
    const outside = await platform.request('GET', '/nothing');
    const chatModel = await admin.post(CHAT, { model: 'none', messages: [{ role: 'user', content: 'x' }] });

    for (const answer of [path, encoded, tenant, outside]) expectError(answer, 404, 'not_found_error', 'not_found');
    for (const answer of [model, chatModel]) expectError(answer, 404, 'not_found_error', 'model_not_found');
  });

  it('answers a wrong method with 405 and the right ones', async () => {
    const chatAnswer = await admin.get(CHAT);
    const health = await platform.request('POST', '/health');

    expectError(chatAnswer, 405, 'invalid_request_error', 'method_not_allowed');
    expect(chatAnswer.headers.get('allow')).toBe('POST');
    expectError(health, 405, 'invalid_request_error', 'method_not_allowed');
  });

  it('keeps a well-formed request id and replaces any other', async () => {
    const taken = await platform.request('GET', '/health', { headers: { 'x-request-id': 'my.request-1_2' } });
    const replaced = await platform.request('GET', '/health', { headers: { 'x-request-id': 'no spaces allowed' } });

    expect(taken.headers.get('x-request-id')).toBe('my.request-1_2');
    expect(replaced.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  });

  it('answers what is no HTTP with an error object', async () => {
    const { connect } = await import('node:net');
    const socket = connect(Number(new URL(platform.url).port), '127.0.0.1');
    const chunks: Buffer[] = [];

    socket.end('GARBAGE\r\n\r\n');
    for await (const chunk of socket) chunks.push(chunk as Buffer);

    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"bad_request"/);
  });

  it('refuses text that the database cannot hold without telling why', async () => {
    const answer = await platform.request('POST', '/v1/auth/login', {
      body: { email: 'a\u0000b@c.d', password: 'a password' },
    });

    expect([400, 401]).toContain(answer.status);
  });

  it('logs a database error without the parameters', async () => {
    const other = await startPlatform();
    await other.query('ALTER TABLE users RENAME COLUMN email TO moved');

    const answer = await other.request('POST', '/v1/auth/login', {
      body: { email: 'very-secret@example.test', password: 'correct horse battery' },
    });
    const log = other.logLines.join('\n');
    await other.close();

    expectError(answer, 500, 'server_error', 'internal_error');
    expect(log).toContain('a request failed for an unknown reason');
    expect(log).toContain('42703');
    expect(log).not.toContain('very-secret');
    expect(log).not.toContain('correct horse');
  });

  function expectError(answer: RestAnswer, status: number, type: string, code: string): void {
    expect([answer.status, answer.body]).toEqual([
      status,
      { error: expect.objectContaining({ type, code, message: expect.any(String) }) },
    ]);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.stringify(answer.body)).not.toMatch(/\n\s+at |node_modules|\.ts\b/);
  }

  function bodies(): [string, string | Uint8Array, RegExp][] {
    return [
      ['malformed JSON', '{"model": nope}', /not valid JSON/],
      ['truncated JSON', '{"model":"m","messages":[', /not valid JSON/],
      ['an array', '[]', /must be a JSON object/],
      ['a bare string', '"hello"', /must be a JSON object/],
      ['null', 'null', /must be a JSON object/],
      ['JSON nested too deep', `{"model":"m","messages":${'['.repeat(200)}${']'.repeat(200)}}`, /nested deeper/],
      ['invalid UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), /UTF-8/],
      ['a byte order mark', Uint8Array.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), /not valid JSON/],
    ];
  }
});

/** Sends a body without saying how long it is; answers the status. */
function sendChunked(url: string, token: string, text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.write(text.slice(0, 1_000));
    request.end(text.slice(1_000));
  });
}
