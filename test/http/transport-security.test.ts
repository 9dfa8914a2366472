import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/config.js';
import { TransportSecurity } from '../../src/http/request-head.js';
import { startPlatform } from '../support/servers/platform.js';
import { TLS_ENV } from '../support/servers/tls.js';
import { usePlatform } from '../support/servers/use-servers.js';

function requestFrom(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers, connection: { remoteAddress } } as unknown as IncomingMessage;
}

describe('transport security', () => {
  it('believes forwarding headers of trusted proxies only', () => {
    const security = new TransportSecurity(readConfig({ HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.0/8' }));
    const headers = { 'x-forwarded-for': '1.2.3.4, 192.0.2.7', 'x-forwarded-proto': 'https' };

    const trusted = requestFrom('10.1.1.1', headers);
    const stranger = requestFrom('203.0.113.9', headers);

    expect([security.addressOf(trusted), security.isAcceptable(trusted)]).toEqual(['192.0.2.7', true]);
    expect([security.addressOf(stranger), security.isAcceptable(stranger)]).toEqual(['203.0.113.9', false]);
  });

  it.each([
    ['192.0.2.7:40000', '192.0.2.7'],
    ['[2001:db8::7]:40000', '2001:db8::7'],
    ['"[2001:db8::7]"', '2001:db8::7'],
    ['1.2.3.4, 192.0.2.7:40000, 10.9.9.9:4001', '192.0.2.7'],
    ['192.0.2.7, unknown', '10.1.1.1'],
    ['192.0.2.7, unknown, 10.2.2.2', '10.2.2.2'],
    ['', '10.1.1.1'],
  ])('takes %s for the address %s', (forwardedFor, address) => {
    const security = new TransportSecurity(readConfig({ HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.0/8' }));

    expect(security.addressOf(requestFrom('10.1.1.1', { 'x-forwarded-for': forwardedFor }))).toBe(address);
  });

  it.each(['0.0.0.0/0', '::/0', '10.0.0.0/8,::/00'])('cannot trust every address: %s', (proxies) => {
    expect(() => readConfig({ TRUST_PROXY: proxies })).toThrow(/TRUST_PROXY: must name the proxies alone/);
  });

  it('accepts plain text from this machine alone, and not what a proxy got in plain text', () => {
    const security = new TransportSecurity(readConfig({ TRUST_PROXY: '127.0.0.1/32' }));

    expect(security.isAcceptable(requestFrom('127.0.0.1'))).toBe(true);
    expect(security.isAcceptable(requestFrom('::ffff:127.0.0.1'))).toBe(true);
    expect(security.isAcceptable(requestFrom('127.0.0.1', { 'x-forwarded-proto': 'http' }))).toBe(false);
    expect(security.isAcceptable(requestFrom('192.168.0.2'))).toBe(false);
  });

  it('accepts anything where the operator allows plain text', () => {
    const security = new TransportSecurity(readConfig({ HOST: '0.0.0.0', ALLOW_PLAINTEXT: 'true' }));

    expect(security.isAcceptable(requestFrom('192.168.0.2'))).toBe(true);
  });
});

describe('a server behind a proxy', () => {
  const platform = usePlatform({ TRUST_PROXY: '127.0.0.1/32' });

  it('refuses what did not travel over TLS, and asks for TLS from then on where it did', async () => {
    const path = '/v1/auth/login';
    const body = platform.admin;

    const plain = await platform.request('POST', path, { body, headers: { 'x-forwarded-proto': 'http' } });
    const secure = await platform.request('POST', path, { body, headers: { 'x-forwarded-proto': 'https' } });

    expect([plain.status, plain.body.error.code]).toEqual([403, 'forbidden']);
    expect(secure.status).toBe(200);
    expect(secure.headers.get('strict-transport-security')).toMatch(/^max-age=\d+/);
  });
});

describe('a server with a certificate', () => {
  it('serves TLS', async () => {
    const platform = await startPlatform({ ...TLS_ENV });

    const { status, hsts } = await new Promise<{ status?: number; hsts?: string }>((resolve, reject) => {
      const request = httpsRequest(
        `${platform.url}/health`,
        { ca: readFileSync(TLS_ENV.TLS_CERT_FILE), agent: false },
        (response) => {
          response.resume();
          resolve({ status: response.statusCode, hsts: response.headers['strict-transport-security'] });
        },
      );
      request.on('error', reject);
      request.end();
    });
    await platform.close();

    expect(platform.url).toMatch(/^https:/);
    expect([status, hsts]).toEqual([200, 'max-age=31536000']);
  });

  it('does not start where its port is taken', async () => {
    const first = await startPlatform();

    const second = startPlatform({ PORT: new URL(first.url).port });

    await expect(second).rejects.toThrow(/EADDRINUSE/);
    await first.close();
  });
});
