import { describe, expect, it, jest } from '@jest/globals';
import { isId, newId } from '../../src/platform/ids.js';

describe('an id', () => {
  it('is a UUIDv7 of now in base 32 behind its prefix', () => {
    const before = Date.now();

    const id = newId('usr');

    const uuid = uuidOf(id);
    expect(id).toMatch(/^usr_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    expect(Number.parseInt(uuid.slice(0, 12), 16)).toBeGreaterThanOrEqual(before);
    expect(Number.parseInt(uuid.slice(0, 12), 16)).toBeLessThanOrEqual(Date.now());
    expect(uuid[12]).toBe('7');
    expect('89ab').toContain(uuid[16]);
  });

  it('never comes twice, and its random bits are all used', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('call'));

    expect(new Set(ids).size).toBe(ids.length);
    const tails = ids.map((id) => BigInt(`0x${uuidOf(id).slice(13)}`) & ~(3n << 62n));
    const [ones, zeros] = [tails.reduce((all, tail) => all | tail, 0n), tails.reduce((all, tail) => all & tail)];
    expect(ones.toString(2).replaceAll('0', '')).toHaveLength(74);
    expect(zeros).toBe(0n);
  });

  it('sorts behind those before it, also within a millisecond and where the clock is set back', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('call'));
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 60_000);

    ids.push(newId('call'));
    clock.mockRestore();

    expect(ids.toSorted()).toEqual(ids);
  });

  it('is recognised by its kind and form alone', () => {
    expect(isId('usr', newId('usr'))).toBe(true);
    expect(isId('ten', newId('usr'))).toBe(false);
    // An example of the TypeID specification.
    expect(isId('usr', 'usr_01h2xcejqtf2nbrexx3vqjhp41')).toBe(true);
    for (const text of ['', 'usr', 'usr_', 'usr_8zzzzzzzzzzzzzzzzzzzzzzzzz', 'usr_01H2XCEJQTF2NBREXX3VQJHP41']) {
      expect(isId('usr', text)).toBe(false);
    }
  });
});

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** The 128 bits of an id as hexadecimal digits. */
function uuidOf(id: string): string {
  const digits = Array.from(id.slice(id.indexOf('_') + 1), (character) => BigInt(ALPHABET.indexOf(character)));
  return digits
    .reduce((value, digit) => value * 32n + digit, 0n)
    .toString(16)
    .padStart(32, '0');
}
