import { describe, expect, it } from '@jest/globals';
import { usePlatform } from '../support/servers/use-servers.js';

const PAGE = 'https://app.example.test';

describe('a page of another origin', () => {
  const platform = usePlatform({ ALLOWED_ORIGINS: PAGE });

  it('may read every header that a client acts on', async () => {
    const { headers } = await platform.request('GET', '/health', { headers: { origin: PAGE } });

    const exposed = headers.get('access-control-expose-headers')?.split(',');
    expect(headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(exposed).toEqual(
      expect.arrayContaining([
        'x-request-id',
        'retry-after',
        'x-should-retry',
        'x-ratelimit-limit-requests',
        'x-ratelimit-remaining-requests',
        'x-ratelimit-reset-requests',
        'idempotency-replayed',
        'x-omitted-fields',
        'location',
        'www-authenticate',
      ]),
    );
  });

  it('may send what a client sends', async () => {
    const response = await fetch(`${platform.url}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: {
        origin: PAGE,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key,x-stainless-lang',
      },
    });

    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toContain('idempotency-key');
  });

  it('gets nothing to read where its origin is not allowed', async () => {
    const { headers } = await platform.request('GET', '/health', { headers: { origin: 'https://evil.example' } });

    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});
