import { describe, expect, it } from '@jest/globals';
import { isOwnRefusal, macOfRefusal, REFUSAL_COLUMNS } from '../../../src/platform/audit/refusal-mac.js';
import type { RefusalContent } from '../../../src/platform/audit/refusal-mac.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';

const secretBox = new SecretBox(Buffer.alloc(32, 1));

describe('the MAC of counted refusals', () => {
  it.each(REFUSAL_COLUMNS)('covers %s', (column) => {
    const written = { ...REFUSAL, mac: macOfRefusal(secretBox, REFUSAL) };

    const isOwn = isOwnRefusal(secretBox, written);
    const isOwnChanged = isOwnRefusal(secretBox, { ...written, [column]: `${REFUSAL[column]}2` });

    expect([isOwn, isOwnChanged]).toEqual([true, false]);
  });

  it('is needed', () => {
    expect(isOwnRefusal(secretBox, { ...REFUSAL, mac: null })).toBe(false);
  });

  it('makes nothing a refusal that succeeded', () => {
    const success = { ...REFUSAL, outcome: 'success' };

    expect(isOwnRefusal(secretBox, { ...success, mac: macOfRefusal(secretBox, success) })).toBe(false);
  });
});

const REFUSAL: RefusalContent = {
  tenant_id: 'ten_1',
  action: 'access.deny',
  actor_type: 'user',
  actor_id: 'usr_1',
  target_type: 'operation',
  target_id: 'users',
  outcome: 'denied',
  reason: 'it is closed',
  network: null,
};
