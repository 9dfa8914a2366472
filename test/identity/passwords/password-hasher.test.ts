import { describe, expect, it } from '@jest/globals';
import { Unavailable } from '../../../src/errors.js';
import { PasswordHasher } from '../../../src/identity/passwords/password-hasher.js';

const PASSWORD = 'seven quiet herons by the lake';

describe('the password hasher', () => {
  it('makes an argon2id string with its parameters and a salt of its own', async () => {
    const hasher = new PasswordHasher();

    const hashes = await Promise.all([hasher.hash(PASSWORD), hasher.hash(PASSWORD)]);

    expect(hashes[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  it('knows the right password from a wrong one', async () => {
    const hasher = new PasswordHasher();
    const hash = await hasher.hash(PASSWORD);

    expect(await hasher.verify(hash, PASSWORD)).toBe(true);
    expect(await hasher.verify(hash, `${PASSWORD} `)).toBe(false);
  });

  it('reads the same letter in different code points alike', async () => {
    const hasher = new PasswordHasher();
    const hash = await hasher.hash('caf\u00e9 au lait, s\u2019il vous pla\u00eet');

    expect(await hasher.verify(hash, 'cafe\u0301 au lait, s\u2019il vous plai\u0302t')).toBe(true);
  });

  it('reads the parameters from the hash', async () => {
    // From the reference implementation's own tests.
    const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';

    expect(await new PasswordHasher().verify(hash, 'password')).toBe(true);
  });

  it('never accepts a password where there is no hash', async () => {
    const hasher = new PasswordHasher();

    expect(await hasher.verify(null, PASSWORD)).toBe(false);
    expect(await hasher.verify(undefined, '')).toBe(false);
  });

  it('turns away what it cannot get to in time', async () => {
    const hasher = new PasswordHasher(3);
    const running = [hasher.hash(PASSWORD), hasher.hash(PASSWORD)];
    await new Promise(setImmediate);

    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => hasher.hash(PASSWORD)));

    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    expect(refused).toEqual([expect.any(Unavailable), expect.any(Unavailable)]);
    await Promise.all(running);
    expect(await hasher.hash(PASSWORD)).toContain('$argon2id$');
  });
});
