import { describe, expect, it } from '@jest/globals';
import { ChainDigest } from '../../../src/audit/chain/chain-digest.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';

const END = { sequence: 1, hash: Buffer.alloc(32), signedSequence: 0, unsignedSince: null, brokenSequence: null };

describe('the verification of what all chains add up to', () => {
  it('lets others go first, and ends when nobody waits for it', async () => {
    const reason = new Error('nobody waits');
    const ending = new AbortController();
    const chains = Array.from({ length: 10_000 }, (_, index) => ({ ...END, chain: `ten_${index}`, sum: null }));
    const rows = [...chains, { sum: Buffer.alloc(256), mac: Buffer.alloc(32) }];
    setImmediate(() => ending.abort(reason));

    const verified = new ChainDigest(new SecretBox(Buffer.alloc(32, 1))).verify(
      { query: async () => rows } as never,
      ending.signal,
    );

    await expect(verified).rejects.toBe(reason);
  });
});
