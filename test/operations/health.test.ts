import { describe, expect, it } from '@jest/globals';
import { awaitHealth } from '../support/probes/awaited-health.js';
import { startPlatform } from '../support/servers/platform.js';
import { usePlatform } from '../support/servers/use-servers.js';

describe('health', () => {
  const platform = usePlatform();

  it('is public and tells version, uptime and each part', async () => {
    const { status, body } = await awaitHealth(platform, (health) => health.status === 'ok');

    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      uptime_s: expect.any(Number),
      checks: {
        database: 'ok',
        cache: 'ok',
        jobs: 'ok',
        blobs: 'ok',
        // As the machine has the programs.
        ocr: expect.stringMatching(/^(ok|off)$/),
        ffmpeg: expect.stringMatching(/^(ok|off)$/),
        audit: 'ok',
        vectors: expect.stringMatching(/^(ok|off)$/),
        backends: 'ok',
        speech: 'ok',
        transcriptions: 'ok',
        // apertium, where the machine has it.
        translation: expect.stringMatching(/^(ok|off)$/),
        translations: 'off',
      },
    });
  });

  it('is the same over GraphQL', async () => {
    const { body } = await platform.graphql('{ health { status checks { database backends } } }');

    // On a busy machine a check may be late.
    const { status, checks } = body.data.health;
    expect(status).toMatch(/^(ok|degraded)$/);
    expect(checks).toEqual({ database: expect.stringMatching(/^(ok|degraded)$/), backends: 'ok' });
  });

  it('is ready with its database, and not without', async () => {
    const other = await startPlatform();

    const ready = await other.request('GET', '/health/ready');
    await other.app.database.dataSource.destroy();
    const notReady = await other.request('GET', '/health/ready');
    const health = await other.request('GET', '/health');
    await other.app.database.dataSource.initialize();
    await other.close();

    expect([ready.status, ready.body]).toEqual([200, { status: 'ready' }]);
    expect([notReady.status, notReady.body.error.code]).toEqual([503, 'unavailable']);
    expect(notReady.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(health.body).toMatchObject({ status: 'degraded', checks: { database: 'down' } });
  });

  it('answers HEAD', async () => {
    const { status, body } = await platform.request('HEAD', '/health');

    expect([status, body]).toEqual([200, '']);
  });
});
