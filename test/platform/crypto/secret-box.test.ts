import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';

const box = new SecretBox(randomBytes(32));
const secret = Buffer.from('a private key');

describe('the secret box', () => {
  it('opens what it has sealed', () => {
    expect(box.unseal('keys', box.seal('keys', secret, 'row 1'), 'row 1')).toEqual(secret);
    expect(box.unseal('keys', box.seal('keys', Buffer.alloc(0)))).toEqual(Buffer.alloc(0));
  });

  it('seals the same text differently each time', () => {
    expect(box.seal('keys', secret)).not.toEqual(box.seal('keys', secret));
  });

  it.each([
    ['another purpose', () => box.unseal('tokens', box.seal('keys', secret))],
    ['another context', () => box.unseal('keys', box.seal('keys', secret, 'row 1'), 'row 2')],
    ['another secret key', () => new SecretBox(randomBytes(32)).unseal('keys', box.seal('keys', secret))],
    ['a cut value', () => box.unseal('keys', box.seal('keys', secret).subarray(0, 20))],
  ])('does not open with %s', (_, open) => {
    expect(open).toThrow();
  });

  it('notices every changed byte', () => {
    const sealed = box.seal('keys', secret);

    for (const index of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => box.unseal('keys', changed)).toThrow();
    }
  });

  it('gives each purpose and each division into parts a code of its own', () => {
    const codes = [box.mac('a', 'x', 'y'), box.mac('b', 'x', 'y'), box.mac('a', 'xy'), box.mac('a', 'xy', '')];

    expect(new Set(codes.map((code) => code.toString('hex'))).size).toBe(codes.length);
    expect(box.mac('a', 'x', 'y')).toEqual(codes[0]);
  });

  it('needs a key of 32 bytes', () => {
    expect(() => new SecretBox(randomBytes(16))).toThrow('32 bytes');
  });
});
