import { describe, expect, it } from '@jest/globals';
import { changePolicies } from '../../support/builders/sanitizer-changes.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('a change of a sanitizer policy', () => {
  const gateway = useGateway();

  it('holds for the next call of the process that has made it', async () => {
    const changes = await changePolicies(gateway, gateway.platform);

    expect(changes).toEqual([1, 1, 1]);
  });
});
