import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../support/probes/eventually.js';
import { startGateway } from '../../../support/servers/gateway.js';
import type { Gateway } from '../../../support/servers/gateway.js';
import { addRuntimeBackend } from '../../../support/servers/runtime-backend.js';

describe('the calls of a backend', () => {
  let gateway: Gateway;

  beforeEach(async () => {
    gateway = await startGateway({ backends: [] });
  });
  afterEach(() => gateway.close());

  describe.each([
    ['changed', 'PATCH', { timeout_seconds: 10 }],
    ['taken away', 'DELETE', undefined],
  ] as const)('that is %s', (_what, method, changes) => {
    it('go on where they are being answered', async () => {
      const { id, answers, release } = await startCalls(1);

      await replace(id);
      release();

      expect(await answers).toEqual([200]);
    });

    it('are answered where they wait for their turn', async () => {
      const { id, answers, release } = await startCalls(2, { max_concurrency: 1 });

      await replace(id);
      release();

      expect(await answers).toEqual([200, 200]);
    });

    async function replace(id: string): Promise<void> {
      const { status } = await gateway.request(method, `/v1/admin/backends/${id}`, {
        token: gateway.token,
        body: changes,
      });
      expect(status).toBeLessThan(300);
    }
  });

  /** Adds a backend, and calls of which none is answered until they are released. */
  async function startCalls(count: number, settings: object = {}) {
    const { body } = await addRuntimeBackend(gateway.platform, gateway.token, {
      base_url: gateway.backend.url,
      ...settings,
    });
    const gate = Promise.withResolvers<void>();
    gateway.backend.answer({ pieces: [gate.promise, '{"choices":[]}'] });
    const answers = Promise.all(Array.from({ length: count }, async () => (await gateway.chat()).status));
    await eventually('the calls have begun', 5, async () => (await openCalls()) === count);
    return { id: body.id as string, answers, release: gate.resolve };
  }

  async function openCalls(): Promise<number> {
    return (await gateway.platform.query("SELECT id FROM calls WHERE state = 'open'")).length;
  }
});
