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

describe('the secret box while its key changes', () => {
  const [older, newer, mac] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const before = new SecretBox(older, { mac });
  const during = new SecretBox(newer, { previous: older, mac });
  const after = new SecretBox(newer, { mac });

  it('opens what either key has sealed, and seals with the new one', () => {
    expect(during.unseal('keys', before.seal('keys', secret, 'row 1'), 'row 1')).toEqual(secret);
    expect(during.unseal('keys', after.seal('keys', secret))).toEqual(secret);
    expect(after.unseal('keys', during.seal('keys', secret))).toEqual(secret);
  });

  it('seals anew what only the previous key opens', () => {
    const anew = during.reseal('keys', before.seal('keys', secret, 'row 1'), 'row 1');

    expect(after.unseal('keys', anew as Buffer, 'row 1')).toEqual(secret);
    expect(during.reseal('keys', anew as Buffer, 'row 1')).toBeUndefined();
  });

  it.each([
    ['a third key', new SecretBox(randomBytes(32)).seal('keys', secret)],
    ['another purpose', before.seal('tokens', secret)],
    ['another context', before.seal('keys', secret, 'row 2')],
  ])('neither opens nor seals anew what was sealed with %s', (_, sealed) => {
    expect(() => during.unseal('keys', sealed)).toThrow('does not open');
    expect(() => during.reseal('keys', sealed)).toThrow('does not open');
  });

  it('makes the same code of the same parts all the time', () => {
    const codes = [before, during, after].map((each) => each.mac('claims', 'x', 'y').toString('hex'));

    expect(new Set(codes).size).toBe(1);
  });
});
