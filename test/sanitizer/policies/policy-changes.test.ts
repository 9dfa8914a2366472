import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGateway } from '../../support/servers/gateway.js';
import type { Gateway } from '../../support/servers/gateway.js';
import { changePolicies } from '../../support/builders/sanitizer-changes.js';

describe('a change of a sanitizer policy', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  it('holds for the next call of the process that has made it', async () => {
    const changes = await changePolicies(gateway, gateway.platform);

    expect(changes).toEqual([1, 1, 1]);
  });
});
